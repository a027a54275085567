import { findFaults } from './check.ts';
import { beginMs, withClock, type Clock } from './clock.ts';
import { openDatabase } from './database.ts';
import { openWorkflows } from './sandbox.ts';
import type { Plant } from './plants.ts';
import { World, type Rig } from './world.ts';

/** What one seed has shown. */
export interface Simulated {
  seed: string;
  trace: string[];
  /** None: all is well. */
  faults: string[];
  steps: number;
  replays: number;
}

/** A world that has not come to rest by then never will. */
const mostSteps = 5_000;

export type SimulationRig = Rig & { close(): Promise<void> };

export async function openRig(): Promise<SimulationRig> {
  const clock: Clock = { nowMs: beginMs };
  const database = await openDatabase(clock);
  const workflows = await openWorkflows();
  return {
    clock,
    database,
    workflows,
    async close() {
      // Else what this process does next would be in the simulated time.
      await database.followClock(Date.now());
      await database.close();
      await workflows.close();
    },
  };
}

/**
 * Runs a seed to its end.
 *
 * @param plant a fault that is planted in the world. (Default: none)
 */
export async function simulate(rig: Rig, seed: string, plant: Plant | null = null): Promise<Simulated> {
  rig.database.plant(plant?.statement ?? null);
  if (!plant?.workflow) return simulateWith(rig, seed, plant);
  const { from, to } = plant.workflow;
  const workflows = await openWorkflows((code) => code.replace(from, to));
  try {
    return await simulateWith({ ...rig, workflows }, seed, plant);
  } finally {
    await workflows.close();
  }
}

function simulateWith(rig: Rig, seed: string, plant: Plant | null): Promise<Simulated> {
  return withClock(rig.clock, async () => {
    rig.clock.nowMs = beginMs;
    await rig.database.followClock(beginMs);
    const world = new World(rig, seed, plant);
    let steps = 0;
    const faults: string[] = [];
    try {
      steps = await live(world);
      if (steps >= mostSteps) faults.push('It does not come to rest');
      else faults.push(...(await findFaults(world, rig)));
    } catch (error) {
      faults.push(world.trace.name((error as Error).message));
      if (process.env['SIMULATION_DEBUG']) console.error(error);
    }
    await Promise.all(world.merchant.runs.map((run) => run.evict()));
    const replays = world.merchant.runs.reduce((sum, run) => sum + run.replays, 0);
    return { seed, trace: world.trace.lines, faults, steps, replays };
  });
}

async function live(world: World): Promise<number> {
  await world.merchant.begin();
  let steps = 0;
  while (steps < world.scenario.badSteps && (await world.step())) steps += 1;
  await world.calm();
  for (; steps < mostSteps; steps += 1) {
    if (await world.step()) continue;
    if (!(await world.sweep())) break;
  }
  return steps;
}
