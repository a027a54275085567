import assert from 'node:assert/strict';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import type { HeldRow } from '../../support/stack/locks.ts';
import { createMerchant, type ChargeBody, type Merchant } from '../../support/resources/merchant.ts';
import { holdCharge, restore } from '../../support/stack/stages.ts';

/**
 * Capture, cancel and expiry meet at the row of the charge: it is held, they are let come in one order or the
 * other, and are let go. Whoever wins, the processor sees one of them.
 */
describe('Capture, cancel and expiry at the same moment', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant({ authorization_ttl_ms: 3_000 });
  });
  afterEach(async () => {
    await restore(env);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  const command = (name: 'capture' | 'cancel', id: string) =>
    merchant.send('POST', `/v1/charges/${id}:${name}`);

  /** An authorization whose row was held before it lapsed, however slow this machine is. */
  const authorizedAndHeld = () =>
    eventually('an authorization is held', async (): Promise<{ charge: ChargeBody; row: HeldRow } | null> => {
      const { body: charge } = await merchant.charge({ capture_method: 'manual' });
      const row = await holdCharge(env, charge.id);
      const { void_reason: lapsed } = await env.db('charges').where('id', charge.id).first();
      if (!lapsed) return { charge, row };
      await row.release();
      return null;
    });

  const isPast = (time: string | null) =>
    eventually(`${time} is past`, () => Date.now() > Date.parse(String(time)));

  const ended = (id: string) =>
    eventually(`${id} is terminal`, async () => {
      const { body } = await merchant.get(`/v1/charges/${id}`);
      return ['succeeded', 'cancelled'].includes(body.status) && body;
    });

  /**
   * The charge ended with one movement of the money, told of once.
   *
   * @param moved what the processor's books show after the authorization. (Default: that movement alone)
   */
  const assertOne = async (id: string, movement: 'capture' | 'void', moved: string[] = [movement]) => {
    const status = movement === 'capture' ? 'succeeded' : 'cancelled';
    assert.equal((await ended(id)).status, status);
    const kinds = (await env.books(id)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['authorization', ...moved]);
    const events: { type: string }[] = await env.db('events').where('resource_id', id).orderBy('sequence');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['charge.authorized', `charge.${status}`],
    );
  };

  it('a capture before the expiry takes the money', async () => {
    const { charge, row } = await authorizedAndHeld();
    const capture = command('capture', charge.id);
    await row.untilBlocked();
    await isPast(charge.expires_at);
    await row.release();
    assert.equal((await capture).status, 200);
    await assertOne(charge.id, 'capture');
  });

  it('a capture that came behind the expiry is refused', async () => {
    const { charge, row } = await authorizedAndHeld();
    await row.untilBlocked();
    const capture = command('capture', charge.id);
    await eventually('the capture waits for its turn', () => countWakes(charge.id));
    await row.release();
    const { status, body } = await capture;
    assert.deepEqual([status, body.code], [409, 'charge_not_capturable']);
    await assertOne(charge.id, 'void');
  });

  it('a cancel before the expiry returns the money once', async () => {
    const { charge, row } = await authorizedAndHeld();
    const cancel = command('cancel', charge.id);
    await row.untilBlocked();
    await isPast(charge.expires_at);
    await row.untilBlocked(2);
    await row.release();
    const { status, body } = await cancel;
    assert.deepEqual([status, body.status], [200, 'cancelled']);
    await assertOne(charge.id, 'void');
  });

  it('a cancel after the expiry returns the money once', async () => {
    const { charge, row } = await authorizedAndHeld();
    await row.untilBlocked();
    const cancel = command('cancel', charge.id);
    await row.untilBlocked(2);
    await row.release();
    const { status, body } = await cancel;
    assert.deepEqual([status, body.status], [200, 'cancelled']);
    await assertOne(charge.id, 'void');
  });

  it('of all three the cancel during a capture is kept', async () => {
    const { charge, row } = await authorizedAndHeld();
    const capture = command('capture', charge.id);
    await row.untilBlocked();
    const cancel = command('cancel', charge.id);
    await row.untilBlocked(2);
    await isPast(charge.expires_at);
    await row.release();
    const { status, body } = await capture;
    assert.deepEqual([status, body.code], [409, 'charge_not_capturable']);
    assert.equal((await cancel).status, 200);
    await assertOne(charge.id, 'void', ['capture', 'void']);
  });

  it('of all three the cancel that came first wins', async () => {
    const { charge, row } = await authorizedAndHeld();
    const cancel = command('cancel', charge.id);
    await row.untilBlocked();
    const capture = command('capture', charge.id);
    await row.untilBlocked(2);
    await isPast(charge.expires_at);
    await row.release();
    assert.deepEqual([(await cancel).body.status, (await capture).status], ['cancelled', 409]);
    await assertOne(charge.id, 'void');
  });

  it('unstaged, around the moment itself, one of them wins', async () => {
    const hasty = await createMerchant({ authorization_ttl_ms: 400 });
    const rounds = Array.from({ length: 8 }, async (_, round) => {
      const { body: charge } = await hasty.charge({ capture_method: 'manual' });
      const moment = Date.parse(String(charge.expires_at)) - 60 + 15 * round;
      await eventually('the moment has come', () => Date.now() >= moment);
      const [capture] = await Promise.all([
        hasty.send('POST', `/v1/charges/${charge.id}:capture`),
        hasty.send('POST', `/v1/charges/${charge.id}:cancel`),
      ]);
      const { status, cancel_requested_at: cancelled } = await eventually(
        'the charge is terminal',
        async () => {
          const { body } = await hasty.get(`/v1/charges/${charge.id}`);
          return ['succeeded', 'cancelled'].includes(body.status) && body;
        },
      );
      const [, ...moved] = (await env.books(charge.id)).map(({ kind }) => kind);
      // A capture that the cancel came upon is given back; time alone gives back none.
      const isOvertaken = status === 'cancelled' && cancelled !== null && moved[0] === 'capture';
      const undone = isOvertaken ? [409, 'capture', 'void'] : [409, 'void'];
      const expected = status === 'succeeded' ? [200, 'capture'] : undone;
      assert.deepEqual([capture.status, ...moved], expected, `round ${round}`);
    });
    await Promise.all(rounds);
    await assertInvariants(env, { accountIds: [hasty.accountId] });
  });

  /** How often the charge's run was woken. */
  const countWakes = async (chargeId: string): Promise<number> => {
    const { workflow_id: id } = await env.db('charges').where('id', chargeId).first();
    const { events } = await env.temporal.workflow.getHandle(id).fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
  };
});
