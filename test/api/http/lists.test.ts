import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { newId } from '#db/new-id.ts';
import { taggedRows } from '#db/metadata-tags.ts';
import { listSql } from '#db/webhooks/webhook-deliveries.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

interface Page {
  data: { id: string }[];
  next_cursor: string | null;
}

describe('Paging through a list', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  after(() => env.db('accounts').where('id', merchant.accountId).delete());

  it('shows each row once while a thousand are inserted', async () => {
    const old = await insertCharges(env.db, merchant.accountId, 250);
    const inserting = (async () => {
      for (let i = 0; i < 40; i += 1) await insertCharges(env.db, merchant.accountId, 25);
    })();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&starting_after=${cursor}`;
      const { body } = await merchant.get<Page>(`/v1/charges?limit=10${after}`);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    await inserting;
    assert.equal(new Set(seen).size, seen.length, 'no row is shown twice');
    const shown = new Set(seen);
    assert.deepEqual(
      old.filter((id) => !shown.has(id)),
      [],
    );
  });
});

/** Charges as a batch of declined ones leaves them: rows alone, which is all that a list reads. */
async function insertCharges(db: Knex, accountId: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: newId('charge'),
    account_id: accountId,
    claim_id: newId('claim'),
    workflow_id: 'charge/none',
    amount: 100,
    currency: 'EUR',
    status: 'failed',
    capture_method: 'automatic',
    payment_method: 'tok_declined',
    processor_token: 'tok_declined',
    failure: JSON.stringify({ code: 'card_declined', decline_code: 'generic_decline', message: 'Declined' }),
    created_at: new Date(),
  }));
  await db('charges').insert(rows);
  return rows.map(({ id }) => id);
}

describe('The index of a list', () => {
  const account = `account_id = 'acct_7'`;
  const lists: [table: string, filter: string, index: string][] = [
    ['charges', account, 'charges_account'],
    ['charges', `${account} and id >= 'ch_2' and id < 'ch_3'`, 'charges_account'],
    ['charges', `${account} and status = 'failed'`, 'charges_account_status'],
    ['charges', `${account} and customer_id = 'cus_7'`, 'charges_account_customer'],
    ['refunds', account, 'refunds_account'],
    ['refunds', `${account} and status = 'failed'`, 'refunds_account_status'],
    ['refunds', `${account} and charge_id = 'ch_7'`, 'refunds_account_charge'],
    ['refunds', `${account} and receipt->'processor'->>'reference' = 're_7'`, 'refunds_processor_reference'],
    ['customers', `${account} and deleted_at is null`, 'customers_account'],
    ['webhook_endpoints', `${account} and deleted_at is null`, 'webhook_endpoints_account'],
  ];
  /** Of partitioned tables: each partition has the index under a name of its own. */
  const partitioned: [what: string, sql: string, index: RegExp][] = [
    [
      'events',
      `select * from events where ${account} order by sequence desc limit 20`,
      /account_id_sequence_idx/,
    ],
    [
      'charges by metadata',
      `select c.* from ${taggedRows('charges', 'c')}
       where t.tag = metadata_tag('acct_7', 'shop', 'north') and c.account_id = 'acct_7' and c.metadata::jsonb @> '{}'
         and t.id >= 'ch_' and t.id < 'ch_~' order by t.id desc limit 20`,
      /^Limit[^\n]*\n *-> +Nested Loop[^]*Backward using metadata_tags_pkey[^]*charges_pkey/,
    ],
    [
      'events after a sequence',
      `select * from events where ${account} and sequence > 9000 order by sequence asc limit 20`,
      /account_id_sequence_idx/,
    ],
    [
      'events of a type',
      `select * from events where ${account} and type = 'charge.failed' order by sequence desc limit 20`,
      /account_id_type_sequence_idx/,
    ],
    ...['{dead_letter}', '{pending,retrying,delivered,dead_letter,cancelled}'].map(
      (statuses): [string, string, RegExp] => [
        `deliveries that are ${statuses}`,
        listSql
          .replaceAll('$1', `'{we_7,we_7,we_8,we_8,we_9}'`)
          .replaceAll('$2', `'${statuses}'`)
          .replaceAll('$3', `'{"","","","",""}'`)
          .replaceAll('$4', `'{~,~,~,~,~}'`)
          .replaceAll('$5', '20')
          .replaceAll('$6', 'null')
          .replaceAll('$7', 'null'),
        /endpoint_id_status_id_idx/,
      ],
    ),
  ];

  it('serves each of its filters over 20,000 rows', async () => {
    const { db } = await environment();
    const used = await withManyRows(db, async (transaction) => {
      const plans = [];
      for (const [table, filter] of lists) plans.push(await findIndexUsed(transaction, table, filter));
      return plans;
    });
    assert.deepEqual(
      used,
      lists.map(([, , index]) => index),
    );
  });

  it('serves each filter of partitioned tables too', async () => {
    const { db } = await environment();
    const plans = await withManyRows(db, async (transaction) => {
      const found: string[] = [];
      for (const [, sql] of partitioned) found.push(await readPlan(transaction, sql));
      return found;
    });
    for (const [i, [what, , index]] of partitioned.entries()) {
      assert.match(plans[i] ?? '', index, what);
      assert.doesNotMatch(plans[i] ?? '', /Seq Scan on \w+_default/, what);
    }
  });

  /** Runs `read` where the tables are large, and leaves them as they were. */
  async function withManyRows<Result>(
    db: Knex,
    read: (transaction: Knex) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await db.transaction();
    try {
      // Rows that refer to nothing are enough for the planner.
      await transaction.raw('set local session_replication_role = replica');
      await fill(
        transaction,
        'charges (id, account_id, claim_id, workflow_id, amount, currency, status, failure, capture_method, payment_method, processor_token, created_at, customer_id)',
        `'ch_' || i, 'acct_' || i % 20, 'clm_c' || i, 'w', 1, 'EUR', case i % 7 when 0 then 'failed' else 'pending' end,
         case i % 7 when 0 then '{}'::json end, 'automatic', 't', 't', now(), 'cus_' || i % 500`,
      );
      await fill(
        transaction,
        'metadata_tags (tag, id)',
        `metadata_tag('acct_' || i % 20, 'shop', case i % 7 when 0 then 'south' else 'north' end), 'ch_' || i`,
      );
      await fill(
        transaction,
        'refunds (id, account_id, charge_id, claim_id, workflow_id, amount, currency, status, failure, created_at, receipt)',
        `'re_' || i, 'acct_' || i % 20, 'ch_' || i % 500, 'clm_r' || i, 'w', 1, 'EUR',
         case i % 7 when 0 then 'failed' else 'pending' end, case i % 7 when 0 then '{}'::json end, now(),
         json_build_object('processor', json_build_object('reference', 're_' || i))`,
      );
      await fill(
        transaction,
        'customers (id, account_id, created_at, updated_at)',
        `'cus_' || i, 'acct_' || i % 20, now(), now()`,
      );
      await fill(
        transaction,
        'webhook_endpoints (id, account_id, url, events, api_version, created_at, updated_at)',
        `'we_' || i, 'acct_' || i % 20, '', '{*}', '2026-11-01', now(), now()`,
      );
      await fill(
        transaction,
        'events (id, account_id, sequence, type, resource_id, object, created_at)',
        `'evt_' || i, 'acct_' || i % 20, i, case i % 7 when 0 then 'charge.failed' else 'charge.succeeded' end, '',
         '{}', now()`,
      );
      await fill(
        transaction,
        'webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, status)',
        `'wd_' || i, 'acct_' || i % 20, 'we_' || i % 20, '', i, '', case i % 7 when 0 then 'dead_letter' else 'delivered' end`,
      );
      return await read(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  async function fill(transaction: Knex, into: string, values: string): Promise<void> {
    await transaction.raw(`insert into ${into} select ${values} from generate_series(1, 20000) i`);
    await transaction.raw(`analyze ${into.split(' ')[0]}`);
  }

  async function readPlan(transaction: Knex, sql: string): Promise<string> {
    const { rows } = await transaction.raw<{ rows: { 'QUERY PLAN': string }[] }>(`explain ${sql}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  async function findIndexUsed(
    transaction: Knex,
    table: string,
    filter: string,
  ): Promise<string | undefined> {
    const plan = await readPlan(
      transaction,
      `select * from ${table} where ${filter} order by id desc limit 20`,
    );
    return /(?:Index Scan (?:Backward )?using|Bitmap Index Scan on) (\w+)/.exec(plan)?.[1] ?? plan;
  }
});
