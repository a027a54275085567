import { Pool } from 'undici';
import { driveLoad, type Load, type Measured } from '../rig/closed-loop.ts';

/** The process that reads, told over its channel what to read; it ends with its parent. */

export interface ReadsOrder {
  load: Load;
  url: string;
  /** Sent in turn. */
  requests: ReadRequest[];
}

export interface ReadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The status of its answer; any other ends the measuring. */
  status: number;
}

/** @param reads all of them, those before and after the measuring included. */
export type ReadsReport = { measured: Measured; reads: number } | { fault: string };

async function carryOut({ load, url, requests }: ReadsOrder): Promise<ReadsReport> {
  const pool = new Pool(url, { connections: load.inFlight, pipelining: 1 });
  let next = 0;
  const read = async () => {
    const request = requests[next++ % requests.length];
    if (!request) throw new Error('there is nothing to read');
    const { status, ...sent } = request;
    const answer = await pool.request(sent);
    const text = await answer.body.text();
    if (answer.statusCode !== status) throw new Error(`${sent.path}: ${answer.statusCode} ${text}`);
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
