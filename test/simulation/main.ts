import { endAll } from '../support/stack/at-end.ts';
import { help, OptionsError, readOptions, type SimulateOptions } from './options.ts';
import { plants } from './plants.ts';
import { openRig, simulate, type Simulated } from './simulate.ts';

/** `npm run simulate`: seeds, one after another. */

const sayEveryMs = 2_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(help);
    return 0;
  }
  const plant = options.plant === null ? null : plants[options.plant];
  if (plant === undefined) throw new OptionsError(`--plant is one of ${Object.keys(plants).join(', ')}`);
  console.log(`${options.seeds} seeds from ${options.from} on`);
  const rig = await openRig();
  try {
    return (await runAll(options, (seed) => simulate(rig, seed, plant))) ? 0 : 1;
  } finally {
    await rig.close();
    await endAll();
  }
}

/** Returns whether every seed held. */
async function runAll(
  { seeds, from, trace, plant }: SimulateOptions,
  run: (seed: string) => Promise<Simulated>,
): Promise<boolean> {
  const beganAt = Date.now();
  let saidAt = beganAt;
  const sums = { steps: 0, replays: 0, failed: 0 };
  const say = (done: number) => {
    const seconds = (Date.now() - beganAt) / 1_000;
    console.log(
      `${done} of ${seeds} seeds in ${Math.round(seconds)} s (${(done / seconds).toFixed(1)}/s), ` +
        `${sums.steps} steps, ${sums.replays} replays, ${sums.failed} failed`,
    );
  };
  for (let done = 0; done < seeds; done += 1) {
    const simulated = await run(String(from + done));
    sums.steps += simulated.steps;
    sums.replays += simulated.replays;
    if (trace) for (const line of simulated.trace) console.log(line);
    if (simulated.faults.length > 0) {
      sums.failed += 1;
      for (const line of describeFailure(simulated, plant, trace)) console.log(line);
    }
    if (Date.now() - saidAt >= sayEveryMs) {
      saidAt = Date.now();
      say(done + 1);
    }
  }
  say(seeds);
  return sums.failed === 0;
}

function describeFailure(
  { seed, trace, faults }: Simulated,
  plant: string | null,
  isShown: boolean,
): string[] {
  const again = `npm run simulate -- --seeds 1 --from ${seed} --trace${plant ? ` --plant ${plant}` : ''}`;
  return [`seed ${seed} fails:`, ...(isShown ? [] : trace), ...faults, `again: ${again}`];
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof OptionsError ? `${error.message}\n\n${help}` : error);
  process.exitCode = error instanceof OptionsError ? 2 : 1;
}
