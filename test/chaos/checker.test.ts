import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, type BookEntry, type Environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import type { ChargeFact, Facts } from '../support/facts.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { findChaosViolations } from './checker.ts';
import { readService, type Evidence } from './evidence.ts';
import { Journal, type Exchange } from './journal.ts';
import { bodyOf, createMerchant, type Merchant } from './merchants.ts';
import { probeOwnership } from './ownership.ts';
import { createRandom } from './random.ts';
import { subscribe, type Receivers } from './receipts.ts';
import { untilAtRest } from './rest.ts';
import { readResults } from './results.ts';

/** What a run of `npm run chaos` relies on: that its checker sees what is wrong, and calls it by its number. */

describe('The checker of a chaos run', () => {
  let env: Environment;
  let receiver: Receiver;
  let dir: string;
  const random = createRandom('the checker');

  before(async function () {
    this.timeout(120_000);
    env = await environment();
    receiver = await startReceiver();
    dir = mkdtempSync(join(tmpdir(), 'payments-chaos-test-'));
  });
  after(async () => {
    await receiver.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Merchants of a run of their own, and what it leaves. */
  interface Run {
    journal: Journal;
    merchants: [Merchant, Merchant];
    receivers: Receivers;
    evidence: () => Promise<Evidence>;
  }

  async function startRun(): Promise<Run> {
    const { signal: closing } = new AbortController();
    const journal = new Journal(join(dir, `${random.word()}.jsonl`));
    const make = () => createMerchant({ env, apiUrl: env.stack.apiUrl, journal, closing });
    const merchants: [Merchant, Merchant] = [await make(), await make()];
    const receivers = await subscribe(merchants, receiver, receiver.url, random);
    receivers.behave();
    const subscribedAt = Date.now();
    await eventually('its endpoints are seen by every statement', () => Date.now() > subscribedAt + 200);
    const accountIds = merchants.map(({ accountId }) => accountId);
    return {
      journal,
      merchants,
      receivers,
      async evidence() {
        await untilAtRest(env, accountIds, 60_000, () => undefined);
        return {
          ...(await readService(env, accountIds)),
          results: await readResults(env, merchants),
          ceasedAt: 0,
          journal: journal.exchanges.map((exchange) => ({ ...exchange })),
          receipts: receivers.receipts.map((receipt) => ({ ...receipt })),
          probes: await probeOwnership(env, merchants, random, 1),
        };
      },
    };
  }

  const pay = (merchant: Merchant, body: object = {}, key = random.word()) =>
    merchant.insist(
      {
        endpoint: 'POST /v1/charges',
        key,
        body: { amount: 1000, currency: 'EUR', payment_method: 'tok_visa', ...body },
      },
      random,
    );
  const invariantsOf = (evidence: Evidence) =>
    new Set(findChaosViolations(evidence).map(({ invariant }) => invariant));

  describe('finds by its number what is planted in the evidence:', () => {
    let evidence: Evidence;
    let paid: { id: string; exchange: Exchange };

    before(async function () {
      this.timeout(120_000);
      const run = await startRun();
      for (const merchant of run.merchants) {
        const charges = [1, 2].map((amount) => ({ amount, currency: 'EUR', payment_method: 'tok_visa' }));
        const exchange = await pay(merchant);
        paid ??= { id: bodyOf<{ id: string }>(exchange).id, exchange };
        const refund = { endpoint: 'POST /v1/refunds', key: random.word(), body: { charge: paid.id } };
        if (merchant === run.merchants[0]) await merchant.insist(refund, random);
        await merchant.insist(
          { endpoint: 'POST /v1/charge-batches', key: random.word(), body: { charges } },
          random,
        );
        const body = { resource: 'events', format: 'csv' };
        await merchant.insist({ endpoint: 'POST /v1/exports', key: random.word(), body }, random);
      }
      evidence = await run.evidence();
    });

    /** Its own copy, so that the next one finds it untouched. */
    interface Plant {
      evidence: Evidence;
      facts: Facts;
      charge: ChargeFact;
      /** The first answer about the charge, in the client's journal. */
      answered: Exchange;
      capture: BookEntry;
    }
    const keyOfPaid = () => `${paid.exchange.account} POST /v1/charges ${paid.exchange.key}`;

    const planted: [invariant: number, what: string, plant: (plant: Plant) => void][] = [
      [
        1,
        'a second charge under a key, as without its unique index',
        ({ facts, charge, capture }) => {
          facts.charges.push({ ...charge, id: 'ch_second', claim_id: 'cl_second' });
          facts.books.push({ ...capture, key: 'ch_second', charge_key: 'ch_second' });
        },
      ],
      [
        1,
        'money without a claim or a row, as if claiming were skipped',
        ({ facts, capture }) => facts.books.push({ ...capture, key: 'ch_skipped', charge_key: 'ch_skipped' }),
      ],
      [1, 'a capture that is in the books twice', ({ facts, capture }) => facts.books.push(capture)],
      [
        1,
        'two charges answered for one key',
        ({ evidence, answered }) =>
          add(evidence, {
            ...answered,
            text: answered.text.replace(paid.id, 'ch_2'),
            location: '/v1/charges/ch_2',
          }),
      ],
      [
        1,
        'one key that decided two bodies',
        ({ evidence, answered }) => add(evidence, { ...answered, fingerprint: 'another' }),
      ],
      [
        1,
        'a row of a batch that is charged twice',
        ({ evidence }) => {
          const { ids } = evidence.results.find(({ rows }) => rows)!;
          ids.push(ids[0]!);
        },
      ],
      [2, 'more captured than the books hold', ({ capture }) => void (capture.amount -= 1)],
      [
        3,
        'an event that settling forgot',
        ({ facts, charge }) => {
          const at = facts.events.findIndex(({ resource_id }) => resource_id === charge.id);
          facts.events.splice(at, 1);
        },
      ],
      [3, 'a delivery that is missing', ({ facts }) => void facts.deliveries.splice(0, 1)],
      [3, 'an answer that is lost', ({ evidence }) => void evidence.answers.delete(keyOfPaid())],
      [
        3,
        'an answered 201 whose charge is lost',
        ({ facts, charge }) => void facts.charges.splice(facts.charges.indexOf(charge), 1),
      ],
      [
        3,
        'an answer that reads otherwise now',
        ({ evidence, answered }) => add(evidence, { ...answered, text: `${answered.text} ` }),
      ],
      [
        3,
        'a request refused for the key that it has decided',
        ({ evidence, answered }) => add(evidence, refusedAt(answered, answered.at + 1)),
      ],
      [
        3,
        'a 503 of something that began all the same',
        ({ evidence, answered }) => {
          const own = evidence.journal.filter(({ key }) => key !== answered.key);
          const refusal = { status: 503, code: 'service_unavailable', text: '{}', location: null };
          evidence.journal = [...own, { ...answered, ...refusal }];
        },
      ],
      [
        3,
        'an export that misses a row',
        ({ evidence }) => void evidence.results.find(({ rows }) => !rows)!.ids.pop(),
      ],
      [
        4,
        'an open charge whose run is gone',
        ({ charge }) => Object.assign(charge, { status: 'requires_capture' }),
      ],
      [
        5,
        'a delivery that is not over',
        ({ evidence }) => Object.assign(evidence.deliveries[0]!, { status: 'retrying' }),
      ],
      [
        5,
        'a delivery that never came',
        ({ evidence }) => {
          const { event_id, endpoint_id } = evidence.deliveries[0]!;
          evidence.receipts = evidence.receipts.filter(
            ({ eventId, endpointId }) => eventId !== event_id || endpointId !== endpoint_id,
          );
        },
      ],
      [
        5,
        'a signature that does not hold',
        ({ evidence }) => Object.assign(evidence.receipts[0]!, { isSigned: false }),
      ],
      [
        5,
        'events that came out of their order to an endpoint that asked for it',
        ({ evidence, facts }) => {
          const { id } = facts.endpoints.find(({ ordering }) => ordering === 'fifo')!;
          const own = evidence.receipts.filter(({ endpointId }) => endpointId === id);
          const others = evidence.receipts.filter(({ endpointId }) => endpointId !== id);
          evidence.receipts = [...others, ...own.toReversed()];
        },
      ],
      [
        6,
        'an event that came to another account',
        ({ evidence }) => Object.assign(evidence.receipts[0]!, { accountId: 'acct_other' }),
      ],
      [
        6,
        'a row that another account reads',
        ({ evidence }) => {
          const probe = evidence.probes.find(({ owner, by }) => owner !== by)!;
          Object.assign(probe, { status: 200 });
        },
      ],
    ];

    const add = (evidence: Evidence, exchange: Exchange) => {
      evidence.journal = [...evidence.journal, exchange];
    };

    const refusedAt = (answered: Exchange, sentAt: number): Exchange => {
      const refusal = { status: 422, code: 'idempotency_key_reused', text: '{}', location: null };
      return { ...answered, ...refusal, sentAt, at: sentAt };
    };

    it('nothing, where a key stood for another request that gave it back', () => {
      const own = structuredClone(evidence);
      add(own, refusedAt(paid.exchange, paid.exchange.sentAt));
      assert.deepEqual(findChaosViolations(own), []);
    });

    it('nothing, where nothing is wrong', () => {
      assert.deepEqual(findChaosViolations(evidence), []);
    });

    for (const [invariant, what, plant] of planted) {
      it(`${what}: invariant ${invariant}`, () => {
        const own = structuredClone(evidence);
        const facts = own.facts.get(paid.exchange.account)!;
        plant({
          evidence: own,
          facts,
          charge: facts.charges.find(({ id }) => id === paid.id)!,
          answered: own.journal.find(({ key }) => key === paid.exchange.key)!,
          capture: facts.books.find(({ kind, key }) => kind === 'capture' && key === paid.id)!,
        });
        const found = invariantsOf(own);
        assert.ok(found.has(invariant as 1), `found ${[...found].join(', ')}`);
      });
    }
  });

  describe('finds by its number what is wrong with the service itself:', () => {
    /** A trigger that breaks the service for one account, until the test is over. */
    async function sabotage(
      table: string,
      accountId: string,
      statement: string,
      during: () => Promise<unknown>,
    ) {
      const name = `sabotage_${random.word()}`;
      await env.db.raw(`create function ${name}() returns trigger language plpgsql as $$
        begin ${statement} end $$`);
      await env.db.raw(`create trigger ${name} before insert on ${table} for each row
        when (new.account_id = '${accountId}') execute function ${name}()`);
      try {
        await during();
      } finally {
        await env.db.raw(`drop trigger ${name} on ${table}`);
        await env.db.raw(`drop function ${name}`);
      }
    }

    it('a key that is no longer unique: invariant 1', async () => {
      const { merchants, evidence } = await startRun();
      const key = random.word();
      const { accountId } = merchants[0];
      const differ = `new.key := new.key || '#' || new.claim_id; return new;`;
      await sabotage('idempotency_keys', accountId, differ, async () => {
        await pay(merchants[0], {}, key);
        await pay(merchants[0], {}, key);
      });
      const found = findChaosViolations(await evidence());
      assert.ok(found.some(({ invariant, what }) => invariant === 1 && what.startsWith('holds money under')));
      assert.ok(found.some(({ invariant, of }) => invariant === 1 && of.endsWith(key)));
    });

    it('a settle that forgets the event: invariant 3', async () => {
      const { merchants, evidence } = await startRun();
      await sabotage('events', merchants[0].accountId, 'return null;', () => pay(merchants[0]));
      assert.deepEqual([...invariantsOf(await evidence())], [3]);
    });

    it('a delivery that was deleted before it was made: invariants 3 and 5', async () => {
      const { merchants, evidence } = await startRun();
      await sabotage('webhook_deliveries', merchants[0].accountId, 'return null;', () => pay(merchants[0]));
      assert.deepEqual([...invariantsOf(await evidence())], [3, 5]);
    });

    it('an answer that was deleted: invariant 3', async () => {
      const { merchants, evidence } = await startRun();
      const { key } = await pay(merchants[0]);
      await env.db('idempotency_keys').where({ account_id: merchants[0].accountId, key }).delete();
      assert.deepEqual([...invariantsOf(await evidence())], [3]);
    });
  });
});
