import assert from 'node:assert/strict';
import type { TimelineEntryResource } from '#domain/timeline.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';

interface TimelinePage {
  data: TimelineEntryResource[];
  has_more: boolean;
  next_cursor: string | null;
}

describe('GET /v1/charges/{id}/timeline', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => env.clearFaults());

  const readEntries = async (id: string, from = merchant) => {
    const { status, text, body } = await from.get<TimelinePage>(`/v1/charges/${id}/timeline?limit=100`);
    assert.equal(status, 200, text);
    assert.deepEqual([body.has_more, body.next_cursor], [false, null]);
    return body.data;
  };
  /** The steps in short, without times. */
  const readSteps = async (id: string, from = merchant) =>
    (await readEntries(id, from)).map(({ type, detail }) =>
      [type, ...Object.entries(detail).map(([name, value]) => (name === 'until' ? 'until' : value))].join(
        ' ',
      ),
    );
  const awaitStatus = (id: string, status: string, from = merchant) =>
    eventually(`${id} reads ${status}`, async () => {
      const { body } = await from.get(`/v1/charges/${id}`);
      return body.status === status;
    });

  it('shows what was done, oldest first', async () => {
    const { body } = await merchant.charge();
    const entries = await readEntries(body.id);
    assert.deepEqual(
      entries.map(({ object, type, detail }) => ({ object, type, detail })),
      [
        { object: 'timeline_entry', type: 'began', detail: {} },
        { object: 'timeline_entry', type: 'sent', detail: { call: 'charge' } },
        {
          object: 'timeline_entry',
          type: 'processor_answered',
          detail: { call: 'charge', outcome: 'captured', amount: 1000, currency: 'EUR' },
        },
      ],
    );
    const times = entries.map(({ at }) => at);
    for (const at of times) assert.match(at, /^\d{4}-.*T.*\.\d{3}Z$/);
    assert.deepEqual(times, times.toSorted());
  });

  it('shows a decline by its code', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_lost_card' });
    assert.deepEqual(await readSteps(body.charge ?? ''), [
      'began',
      'sent charge',
      'processor_answered charge declined lost_card',
    ]);
  });

  it('shows an authorization and its capture', async () => {
    const { body } = await merchant.charge({ capture_method: 'manual' });
    await merchant.send('POST', `/v1/charges/${body.id}:capture`, { amount: 400 });
    assert.deepEqual(await readSteps(body.id), [
      'began',
      'sent charge',
      'processor_answered charge authorized',
      'waiting capture until',
      'capture_requested 400 EUR',
      'sent capture',
      'processor_answered capture captured 400 EUR',
    ]);
    const waiting = (await readEntries(body.id)).find(({ type }) => type === 'waiting');
    assert.equal(waiting?.detail['until'], body.expires_at);
  });

  it('shows a cancel as a void', async () => {
    const { body } = await merchant.charge({ capture_method: 'manual' });
    await merchant.send('POST', `/v1/charges/${body.id}:cancel`, {});
    assert.deepEqual((await readSteps(body.id)).slice(4), [
      'void_requested cancelled',
      'sent void',
      'processor_answered void voided',
    ]);
  });

  it('shows why an authorization lapsed', async () => {
    const hasty = await createMerchant({ authorization_ttl_ms: 300 });
    const { body } = await hasty.charge({ capture_method: 'manual' });
    await awaitStatus(body.id, 'cancelled', hasty);
    assert.equal((await readSteps(body.id, hasty))[4], 'void_requested expired');
  });

  it('shows the wait for an asynchronous outcome', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_async' });
    assert.deepEqual((await readSteps(body.id)).slice(0, 4), [
      'began',
      'sent charge',
      'processor_answered charge pending',
      'waiting processor',
    ]);
    await awaitStatus(body.id, 'succeeded');
    const steps = (await readSteps(body.id)).slice(4);
    assert.deepEqual(steps.slice(-2), ['asked charge', 'processor_answered charge captured 1000 EUR']);
    // It may have been asked before the outcome was there.
    const early = steps.slice(0, -2);
    assert.deepEqual(
      early,
      early.map((_, index) => (index % 2 === 0 ? 'asked charge' : 'processor_answered charge pending')),
    );
  });

  it('shows a lost answer, and how it was resolved', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_garbage' });
    assert.deepEqual(await readSteps(body.id), [
      'began',
      'sent charge',
      'processor_fault charge processor_invalid_response',
      'asked charge',
      'processor_answered charge captured 1000 EUR',
    ]);
  });

  it('shows every attempt while the processor is away', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_unavailable' });
    const fault = ['sent charge', 'processor_fault charge processor_unavailable'];
    const asked = ['asked charge', 'processor_answered charge not_found'];
    assert.deepEqual(await readSteps(body.id), [
      'began',
      ...fault,
      ...asked,
      ...fault,
      ...asked,
      'sent charge',
      'processor_answered charge captured 1000 EUR',
    ]);
  });

  it('shows the void of an outcome that stays unknown', async () => {
    const hasty = await createMerchant({ unknown_timeout_ms: 100 });
    const charging = hasty.charge({ payment_method: 'tok_silent' }, { headers: { prefer: 'respond-async' } });
    const { body } = await charging;
    await eventually('it is voided', async () => (await hasty.get(`/v1/charges/${body.id}`)).body.failure);
    const steps = await readSteps(body.id, hasty);
    assert.equal(steps[0], 'began');
    assert.deepEqual(steps.slice(-3), [
      'void_requested unresolved',
      'sent void',
      'processor_answered void voided',
    ]);
  });

  it('shows a capture whose answer was lost', async () => {
    const { body } = await merchant.charge({ capture_method: 'manual' });
    await env.stageFault({ route: 'captures', mode: 'garbage', when: 'after', times: 1 });
    await merchant.send('POST', `/v1/charges/${body.id}:capture`, {});
    assert.deepEqual((await readSteps(body.id)).slice(4), [
      'capture_requested 1000 EUR',
      'sent capture',
      'processor_fault capture processor_invalid_response',
      'asked capture',
      'processor_answered capture captured 1000 EUR',
    ]);
  });

  it('is paged as every list is', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    await merchant.send('POST', `/v1/charges/${charge.id}:capture`, {});
    const all = await readEntries(charge.id);
    const paged: TimelineEntryResource[] = [];
    let path: string | null = `/v1/charges/${charge.id}/timeline?limit=2`;
    while (path) {
      const page: HttpAnswer<TimelinePage> = await merchant.get(path);
      assert.ok(page.body.data.length <= 2);
      paged.push(...page.body.data);
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
      assert.equal(path !== null, page.body.has_more);
    }
    assert.deepEqual(paged, all);
    for (const query of ['limit=0', 'limit=101', 'type=sent']) {
      assert.equal((await merchant.get(`/v1/charges/${charge.id}/timeline?${query}`)).status, 400);
    }
  });

  it('refuses the cursor of another charge’s timeline', async () => {
    const [one, two] = [(await merchant.charge()).body.id, (await merchant.charge()).body.id];
    const { body } = await merchant.get<TimelinePage>(`/v1/charges/${one}/timeline?limit=1`);
    const answer = await merchant.get(`/v1/charges/${two}/timeline?starting_after=${body.next_cursor}`);
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_cursor']);
  });

  it('answers only its owner, and only with the scope', async () => {
    const stranger = await createMerchant();
    const { body } = await merchant.charge();
    for (const id of [body.id, 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 'nonsense']) {
      const answer = await stranger.get(`/v1/charges/${id}/timeline`);
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
    }
    const blind = await createMerchant({}, ['refunds:read']);
    assert.equal((await blind.get(`/v1/charges/${body.id}/timeline`)).status, 403);
  });
});
