import assert from 'node:assert/strict';
import { environment, type BookEntry, type Environment } from '../support/stack/environment.ts';
import { readFacts, type ChargeFact, type Facts } from '../support/invariants/facts.ts';
import { assertInvariants, checkInvariants, findViolations } from '../support/invariants/invariants.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { createWebhookEndpoint } from '../support/resources/webhook-endpoints.ts';

/** What every crash test relies on: that the checker sees what is wrong, and calls it by its name. */

/** A fault in what Postgres, the processor or Temporal say, and what it breaks. */
interface Planted {
  invariant: 1 | 2 | 3 | 4;
  what: string;
  plant(facts: Facts, charge: Record<'paid' | 'captured' | 'declined' | 'open', ChargeFact>): void;
}

const findBookEntry = (facts: Facts, charge: ChargeFact, kind: BookEntry['kind']) =>
  facts.books.find((entry) => entry.charge_key === charge.id && entry.kind === kind)!;
const findClaim = (facts: Facts, charge: ChargeFact) =>
  facts.claims.find(({ claim_id }) => claim_id === charge.claim_id)!;
const findEvent = (facts: Facts, charge: ChargeFact) =>
  facts.events.findIndex((event) => event.resource_id === charge.id);
const findDelivery = (facts: Facts, charge: ChargeFact) => {
  const { id } = facts.events[findEvent(facts, charge)]!;
  return facts.deliveries.findIndex((delivery) => delivery.event_id === id);
};

const planted: Planted[] = [
  {
    invariant: 1,
    what: 'a capture that is in the books twice',
    plant: (facts, { paid }) => facts.books.push(findBookEntry(facts, paid, 'capture')),
  },
  {
    invariant: 1,
    what: 'a second capture of a charge under another key',
    plant: (facts, { captured }) =>
      facts.books.push({ ...findBookEntry(facts, captured, 'capture'), key: 'cl_another' }),
  },
  {
    invariant: 1,
    what: 'a second charge with money under the same key',
    plant(facts, { paid }) {
      facts.charges.push({ ...paid, id: 'ch_second' });
      facts.books.push({
        ...findBookEntry(facts, paid, 'capture'),
        key: 'ch_second',
        charge_key: 'ch_second',
      });
    },
  },
  {
    invariant: 1,
    what: 'a second charge under the same key, without money',
    plant: (facts, { declined }) => void facts.charges.push({ ...declined, id: 'ch_second' }),
  },
  {
    invariant: 1,
    what: 'an answer that names another charge',
    plant(facts, { declined }) {
      const claim = findClaim(facts, declined);
      const text = Buffer.from(claim.answer_body!).toString();
      claim.answer_body = Buffer.from(text.replaceAll(declined.id, 'ch_another'));
    },
  },
  {
    invariant: 1,
    what: 'money under a charge that is not in Postgres',
    plant: (facts, { paid }) => void facts.knownChargeIds.delete(paid.id),
  },
  {
    invariant: 1,
    what: 'a cancelled charge that holds its authorization',
    plant: (_facts, { open }) => (open.status = 'cancelled'),
  },
  {
    invariant: 1,
    what: 'a failed charge that holds its authorization',
    plant: (_facts, { open }) => (open.status = 'failed'),
  },
  {
    invariant: 1,
    what: 'a charge that is authorized twice',
    plant: (facts, { open }) => facts.books.push(findBookEntry(facts, open, 'authorization')),
  },
  {
    invariant: 1,
    what: 'an authorization that no row knows',
    plant(facts, { open }) {
      const known = findBookEntry(facts, open, 'authorization');
      facts.books.push({ ...known, key: 'ch_none', charge_key: 'ch_none' });
    },
  },
  {
    invariant: 2,
    what: 'an open charge without its authorization',
    plant: (facts, { open }) =>
      void facts.books.splice(facts.books.indexOf(findBookEntry(facts, open, 'authorization')), 1),
  },
  {
    invariant: 2,
    what: 'more captured than the amount',
    plant: (_facts, { paid }) => (paid.amount = paid.amount_captured - 1),
  },
  {
    invariant: 2,
    what: 'more refunded than captured',
    plant: (_facts, { paid }) => (paid.amount_refunded = paid.amount_captured + 1),
  },
  {
    invariant: 2,
    what: 'a row that claims more than the books hold',
    plant: (facts, { captured }) => (findBookEntry(facts, captured, 'capture').amount -= 1),
  },
  {
    invariant: 2,
    what: 'money of a declined charge',
    plant: (facts, { paid, declined }) =>
      facts.books.push({
        ...findBookEntry(facts, paid, 'capture'),
        key: declined.id,
        charge_key: declined.id,
      }),
  },
  {
    invariant: 3,
    what: 'an event that is missing',
    plant: (facts, { declined }) => void facts.events.splice(findEvent(facts, declined), 1),
  },
  {
    invariant: 3,
    what: 'an event that is there twice',
    plant: (facts, { paid }) => facts.events.push(facts.events[findEvent(facts, paid)]!),
  },
  {
    invariant: 3,
    what: 'a gap in the sequence',
    plant: (facts) => (facts.sequences[0]!.sequence += 1),
  },
  {
    invariant: 3,
    what: 'an answer that is missing',
    plant: (facts, { declined }) => (findClaim(facts, declined).answer_status = null),
  },
  {
    invariant: 3,
    what: 'a claim that is gone too soon',
    plant: (facts, { paid }) => void facts.claims.splice(facts.claims.indexOf(findClaim(facts, paid)), 1),
  },
  {
    invariant: 3,
    what: 'an answer that tells of something else',
    plant: (facts, { declined }) => (findClaim(facts, declined).answer_status = 201),
  },
  {
    invariant: 3,
    what: 'a voided charge that reads as declined',
    plant: (_facts, { declined }) => (declined.failure!.code = 'processor_timeout'),
  },
  {
    invariant: 3,
    what: 'a delivery that is missing',
    plant: (facts, { paid }) => void facts.deliveries.splice(findDelivery(facts, paid), 1),
  },
  {
    invariant: 3,
    what: 'a delivery that is there twice',
    plant: (facts, { paid }) => facts.deliveries.push(facts.deliveries[findDelivery(facts, paid)]!),
  },
  {
    invariant: 3,
    what: 'a delivery of an event that never was',
    plant: (facts, { paid }) => (facts.deliveries[findDelivery(facts, paid)]!.event_id = 'evt_none'),
  },
  {
    invariant: 4,
    what: 'an open charge whose run is gone',
    plant: (facts, { open }) => void facts.runningClaims.delete(open.claim_id),
  },
  {
    invariant: 4,
    what: 'a claim that has begun without its charge',
    plant: (facts, { paid }) => (findClaim(facts, paid).resource_id = 'ch_none'),
  },
  {
    invariant: 4,
    what: 'a claim that can begin no more',
    plant: (facts, { paid }) =>
      Object.assign(findClaim(facts, paid), { begun_at: null, start_by: new Date(0) }),
  },
];

describe('The checker of the invariants', () => {
  let env: Environment;
  let merchant: Merchant;
  let ids: Record<'paid' | 'captured' | 'declined' | 'open', string>;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    await createWebhookEndpoint(merchant, { events: ['charge.*'] });
    await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const make = async (body: object) => (await merchant.charge({ ...body })).body;
    const captured = await make({ capture_method: 'manual' });
    await merchant.send('POST', `/v1/charges/${captured.id}:capture`, { amount: 300 });
    ids = {
      paid: (await make({})).id,
      captured: captured.id,
      declined: (await make({ payment_method: 'tok_declined' })).charge!,
      open: (await make({ capture_method: 'manual' })).id,
    };
  });

  it('finds nothing where nothing is wrong', async () => {
    assert.deepEqual(await checkInvariants(env, { accountIds: [merchant.accountId] }), []);
  });

  for (const fault of planted) {
    it(`finds ${fault.what} as a breach of invariant ${fault.invariant}`, async () => {
      const facts = await readFacts(env, [merchant.accountId]);
      const charge = (name: keyof typeof ids) => facts.charges.find(({ id }) => id === ids[name])!;
      const [paid, captured, declined, open] = [
        charge('paid'),
        charge('captured'),
        charge('declined'),
        charge('open'),
      ];
      fault.plant(facts, { paid, captured, declined, open });
      const found = findViolations(facts).map((violation) => violation.invariant);
      assert.ok(found.includes(fault.invariant), `found ${found.join(', ')}`);
    });
  }

  it('fails by the names of invariant and charge', async () => {
    const own = await createMerchant();
    const { id } = (await own.charge()).body;
    const [event] = await env.db('events').where('resource_id', id).delete().returning('*');
    const scope = { accountIds: [own.accountId] };
    await assert.rejects(assertInvariants(env, scope, 0), new RegExp(`invariant 3 .*${id} is succeeded`));
    await env.db('events').insert({ ...event, object: JSON.stringify(event.object) });
    await assertInvariants(env, scope, 0);
  });
});
