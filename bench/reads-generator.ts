import { Pool } from 'undici';
import { driveLoad, type Load, type Measured } from './closed-loop.ts';

/** The process that reads charges, told over its channel what to read; it ends with its parent. */

export interface ReadsOrder {
  load: Load;
  url: string;
  /** Read in turn. */
  charges: { id: string; token: string }[];
}

/** @param reads all of them, those before and after the measuring included. */
export type ReadsReport = { measured: Measured; reads: number } | { fault: string };

async function carryOut({ load, url, charges }: ReadsOrder): Promise<ReadsReport> {
  const pool = new Pool(url, { connections: load.inFlight, pipelining: 1 });
  let next = 0;
  const read = async () => {
    const charge = charges[next++ % charges.length];
    if (!charge) throw new Error('there is nothing to read');
    const headers = { authorization: `Bearer ${charge.token}` };
    const answer = await pool.request({ method: 'GET', path: `/v1/charges/${charge.id}`, headers });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  };
  try {
    const measured = await driveLoad(load, read, () => undefined);
    return { measured, reads: next };
  } finally {
    await pool.close();
  }
}

process.on('message', (order: ReadsOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ fault: String(error) } satisfies ReadsReport),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
