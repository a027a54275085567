import { setMaxListeners } from 'node:events';
import { attacks, type Target } from './hostile-attacks.ts';

/** The process of an attacker, told over its channel what to do and when to stop; it ends with its parent. */

export type AttackOrder = { attack: string; target: Target } | { stop: true };

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();

process.on('message', (order: AttackOrder) => {
  if ('attack' in order) {
    stop = new AbortController();
    // Each connection that is held listens to it.
    setMaxListeners(0, stop.signal);
    running = attacks[order.attack]!.run(order.target, stop.signal);
    process.send?.('begun');
    return;
  }
  stop.abort();
  void running.then(() => process.send?.('ended'));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
