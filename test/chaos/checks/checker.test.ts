import assert from 'node:assert/strict';
import { environment, type BookEntry } from '../../support/stack/environment.ts';
import type { ChargeFact, Facts } from '../../support/invariants/facts.ts';
import { findChaosViolations } from './checker.ts';
import type { SeenPage } from '../events/seen-events.ts';
import type { Evidence } from './evidence.ts';
import type { Exchange } from '../load/journal.ts';
import { readBody } from '../load/merchants.ts';
import { startTrial, type Trial } from './trial.ts';

/** What a run of `npm run chaos` relies on: that its checker sees what is wrong, and calls it by its number. */

describe('The checker of a chaos run finds by its number what is planted in the evidence:', () => {
  let trial: Trial;
  let evidence: Evidence;
  let paid: { id: string; exchange: Exchange };

  before(async () => {
    trial = await startTrial(await environment());
    const { merchants, pay, send } = trial;
    for (const merchant of merchants) {
      const charges = [1, 2].map((amount) => ({ amount, currency: 'EUR', payment_method: 'tok_visa' }));
      const exchange = await pay(merchant);
      const { id } = readBody<{ id: string }>(exchange);
      paid ??= { id, exchange };
      await send(merchant, 'POST /v1/refunds', { charge: id });
      await send(merchant, 'POST /v1/charge-batches', { charges });
      await send(merchant, 'POST /v1/exports', { resource: 'events', format: 'csv' });
    }
    evidence = await trial.evidence();
  });
  after(() => trial.close());

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
      'a cancelled charge that holds its authorization',
      ({ charge, capture }) => {
        Object.assign(charge, { status: 'cancelled', amount_captured: 0 });
        capture.kind = 'authorization';
      },
    ],
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
      'a charge that succeeded, whose creator was told that it was cancelled',
      ({ evidence, answered, charge }) => {
        const told = { code: 'charge_cancelled', charge: charge.id };
        const own = evidence.journal.filter(({ key }) => key !== answered.key);
        const refusal = { status: 409, code: told.code, text: JSON.stringify(told), location: null };
        evidence.journal = [...own, { ...answered, ...refusal }];
      },
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
      'an operation that ended otherwise than it was told',
      ({ evidence, answered }) => {
        const [id] = evidence.operationStates.keys();
        const told = JSON.stringify({ id, status: 'failed', done: true });
        const read = { endpoint: 'GET /v1/operations/{id}', key: null, status: 200, code: null };
        add(evidence, { ...answered, ...read, text: told, location: null });
      },
    ],
    [
      3,
      'a 500, which no outage explains',
      ({ evidence, answered }) => {
        const failure = { status: 500, code: 'internal_error', text: '{}', location: null };
        add(evidence, { ...answered, key: 'another', sentAt: 0, ...failure });
      },
    ],
    [
      3,
      'an unknown outcome after the last fault',
      ({ evidence, answered }) => {
        const unknown = { status: 503, code: 'outcome_unknown', text: '{}', location: null };
        add(evidence, { ...answered, key: 'another', sentAt: Date.now() + 60_000, ...unknown });
      },
    ],
    [
      3,
      'an export that misses a row',
      ({ evidence }) => void evidence.results.find(({ rows }) => !rows)!.ids.pop(),
    ],
    [
      3,
      'a result that cannot be read',
      ({ evidence }) => Object.assign(evidence.results[0]!, { fault: 'it has 0 bytes' }),
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
      8,
      'an event that a reader’s page jumps over',
      ({ evidence }) => {
        const isPage = ({ endpoint, text }: Exchange) =>
          endpoint === 'GET /v1/events' && (JSON.parse(text) as SeenPage).data.length > 1;
        evidence.journal = evidence.journal.map((exchange) => {
          if (!isPage(exchange)) return exchange;
          const { data, has_more } = JSON.parse(exchange.text) as SeenPage;
          return { ...exchange, text: JSON.stringify({ data: data.toSpliced(1, 1), has_more }) };
        });
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

  it('nothing, when another request used and released the key', () => {
    const own = structuredClone(evidence);
    const { sentAt } = paid.exchange;
    const none = { status: null, code: null, text: '', location: null, etag: null };
    add(own, { ...paid.exchange, ...none, fingerprint: 'another', sentAt: sentAt - 10 });
    add(own, refusedAt(paid.exchange, sentAt));
    assert.deepEqual(findChaosViolations(own), []);
  });

  it('nothing, where nothing is wrong', () => {
    assert.deepEqual(findChaosViolations(evidence), []);
  });

  for (const [invariant, what, plant] of planted) {
    it(`${what}, as a breach of invariant ${invariant}`, () => {
      const own = structuredClone(evidence);
      const facts = own.facts.get(paid.exchange.account)!;
      plant({
        evidence: own,
        facts,
        charge: facts.charges.find(({ id }) => id === paid.id)!,
        answered: own.journal.find(({ key }) => key === paid.exchange.key)!,
        capture: facts.books.find(({ kind, key }) => kind === 'capture' && key === paid.id)!,
      });
      const found = new Set(findChaosViolations(own).map((violation) => violation.invariant));
      assert.ok(found.has(invariant as 1), `found ${[...found].join(', ')}`);
    });
  }
});
