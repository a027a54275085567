import { setMaxListeners } from 'node:events';
import { answerParent } from '../rig/child.ts';
import { attacks, type Target } from './hostile-attacks.ts';

/** The process of an attacker, which takes orders over its channel. */

export type AttackOrder = { attack: string; target: Target } | { stop: true };

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();

async function carryOut(order: AttackOrder): Promise<object> {
  if ('stop' in order) {
    stop.abort();
    await running;
    return { ended: true };
  }
  stop = new AbortController();
  // Each connection that is held listens to it.
  setMaxListeners(0, stop.signal);
  running = attacks[order.attack]!.run(order.target, stop.signal);
  return { begun: true };
}

answerParent(carryOut);
