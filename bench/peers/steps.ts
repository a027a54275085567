import pg from 'pg';
import { newId } from '#db/new-id.ts';
import { createSandboxProcessor } from '#processor/sandbox/adapter.ts';

/**
 * The three steps of a charge as every peer runs them: claim a row by its key, call the processor, settle the row. The
 * two statements are prepared, and each is a transaction of its own.
 */

export interface ChargeRequest {
  amount: number;
  currency: string;
  payment_method: string;
  description: string;
  metadata: Record<string, string>;
}

/** What the processor decided. */
export interface Outcome {
  status: string;
  processorId: string;
}

/** The answer of a peer. */
export interface Charge {
  id: string;
  amount: number;
  currency: string;
  status: string;
}

/** As many connections as our API has. */
export const connections = 20;

const int8 = 20;
pg.types.setTypeParser(int8, Number);

const createTable = `create table if not exists charges (
  id text primary key,
  key text not null unique,
  amount bigint not null,
  currency text not null,
  description text not null,
  metadata jsonb not null,
  status text not null,
  processor_id text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
)`;

// A claim that was run before finds its own row.
const claimText = `insert into charges (id, key, amount, currency, description, metadata, status)
  values ($1, $2, $3, $4, $5, $6, 'pending')
  on conflict (key) do update set key = excluded.key returning id`;

const settleText = `update charges set status = $2, processor_id = $3, settled_at = now() where id = $1
  returning id, amount, currency, status`;

/** Opens what the steps need, by the environment of the process. */
export async function openSteps() {
  const env = process.env;
  const pool = new pg.Pool({ connectionString: env['DATABASE_URL'], max: connections });
  await pool.query(createTable);
  const processor = createSandboxProcessor({ url: env['PROCESSOR_URL']!, secret: env['PROCESSOR_SECRET']! });
  let calls = 0;
  return {
    /** How often the processor was called. */
    countCalls: () => calls,

    /** Returns the id of the charge. */
    async claim(key: string, request: ChargeRequest): Promise<string> {
      const { amount, currency, description, metadata } = request;
      const values = [newId('charge'), key, amount, currency, description, metadata];
      const { rows } = await pool.query<{ id: string }>({ name: 'claim', text: claimText, values });
      return rows[0]!.id;
    },

    /** Makes the authorize call that our own charges make, with the id of the charge as its key. */
    async call(id: string, request: ChargeRequest): Promise<Outcome> {
      calls += 1;
      const { amount, currency, payment_method: token } = request;
      const outcome = await processor.authorize({
        key: id,
        ref: null,
        attempt: 1,
        accountId: '',
        createdAt: new Date(),
        token,
        amount,
        currency,
        capture: true,
        statementDescriptor: null,
        description: null,
        returnUrl: null,
      });
      return { status: outcome.kind, processorId: 'processorId' in outcome ? outcome.processorId : '' };
    },

    async settle(id: string, { status, processorId }: Outcome): Promise<Charge> {
      const values = [id, status, processorId];
      const { rows } = await pool.query<Charge>({ name: 'settle', text: settleText, values });
      return rows[0]!;
    },
  };
}
