import { freePort } from '#local/processes/ports.ts';
import type { Part } from '#local/stack.ts';
import { eventually } from '../eventually.ts';
import { scrape } from '../metrics.ts';
import { createMerchant } from '../resources/merchant.ts';
import type { Environment } from './environment.ts';

/** How an API takes the first steps of a charge itself: in a run that it hosts, or without a run. */
export const ways = ['eager', 'inline'] as const;

export type Way = (typeof ways)[number];

/** The settings of each way. */
export const waySettings: Record<Way, NodeJS.ProcessEnv> = {
  eager: { CHARGE_EXECUTION: 'workflow' },
  inline: { CHARGE_EXECUTION: 'inline' },
};

/** One more API of the stack, which takes the first steps of its charges itself. It stops with the stack. */
export interface ChargingApi {
  part: Part;
  url: string;
  /** Returns how many of its writes began in this way; `run`: by a run anywhere. */
  countBegun: (way: Way | 'run', workflow?: 'charge' | 'refund') => Promise<number>;
  /** Starts it if it is down, and waits until it takes the steps. */
  ensure(): Promise<void>;
}

/** Starts one. @param settings more of them. */
export async function startChargingApi(
  env: Environment,
  way: Way,
  settings: NodeJS.ProcessEnv = {},
): Promise<ChargingApi> {
  const metricsPort = String(await freePort());
  const { part, url } = await env.stack.addApi({
    ...waySettings[way],
    METRICS_PORT: metricsPort,
    ...settings,
  });
  const countBegun: ChargingApi['countBegun'] = async (of, workflow = 'charge') =>
    (await scrape(`http://127.0.0.1:${metricsPort}/metrics`)).sum('payments_writes_begun_total', {
      workflow,
      way: of,
    });
  const untilItCharges = async () => {
    const merchant = await createMerchant();
    await eventually(
      `it charges ${way}`,
      async () => (await merchant.charge({}, { url })).status === 201 && (await countBegun(way)) > 0,
    );
  };
  await untilItCharges();
  return {
    part,
    url,
    countBegun,
    async ensure() {
      if (part.pid !== null) return;
      await part.restart();
      await untilItCharges();
    },
  };
}
