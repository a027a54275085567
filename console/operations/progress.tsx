import type { JSX } from 'preact';
import type { Operation } from '#client/src/index.ts';

/** What an operation does, as people call it. */
export const typeNames: Readonly<Record<Operation['type'], string>> = {
  export: 'Export',
  charge_batch: 'Charge batch',
  webhook_replay: 'Replay of webhooks',
};

/** How far the work is, in steps. Before its size is known, the bar says only that it goes on. */
export function Progress({ operation }: { operation: Operation }): JSX.Element {
  const { progress, done, type } = operation;
  const label = `Progress of the ${typeNames[type].toLowerCase()}`;
  if (progress === null) return done ? <span class="none">–</span> : <progress aria-label={label} />;
  const words = `${progress.completed} of ${progress.total}`;
  if (done) return <>{words}</>;
  return (
    <>
      <progress aria-label={label} value={progress.completed} max={Math.max(1, progress.total)} /> {words}
    </>
  );
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
