import assert from 'node:assert/strict';
import type { Logger } from 'pino';
import { PublicBudget } from '#api/limits/public-budget.ts';
import { listAddressBlocks, toAddressBlock } from '#http/address-blocks.ts';
import { AddressBudgets } from '#http/address-budgets.ts';
import { AddressPlaces } from '#http/address-places.ts';
import type { RequestState } from '#http/context.ts';
import { accessLog } from '#http/middleware/log.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { eventually } from '../../support/eventually.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

type Ctx = Parameters<ReturnType<typeof accessLog>>[0] & { state: RequestState };

/** An address in another /64 for each number, and in another /56 for each 256 of them, all in one /48. */
const inOneSite = (n: number) => `2001:db8:1:${n.toString(16)}::1`;

/** An address in another /56 for each number, all in one /48. */
const inOther56 = (n: number) => inOneSite(n * 256);

/** Returns how often the addresses may spend before one has to wait. */
function countSpent(budgets: AddressBudgets, address: (n: number) => string): number {
  let n = 0;
  for (; n < 1_000 && budgets.waitMs(address(n)) === 0; n += 1) budgets.spend(address(n));
  return n;
}

describe('The block of an address', () => {
  it('is the address of IPv4, and the /64 of IPv6', () => {
    const blocks: [address: string, block: string][] = [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
      ['2001:db8::9', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['192.0.2.1:49152', '192.0.2.1'],
      ['[2001:db8:1:2::9]:49152', '2001:db8:1:2::/64'],
      ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
      ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
      ['_hidden', 'unknown'],
      ['unknown', 'unknown'],
    ];
    for (const [address, block] of blocks) assert.equal(toAddressBlock(address), block);
  });

  it('has wider ones around it for IPv6 alone', () => {
    const list = (address: string) => listAddressBlocks(address).map(([block]) => block);
    assert.deepEqual(list('2001:db8:1:1234::9'), [
      '2001:db8:1:1234::/64',
      '2001:db8:1:1200::/56',
      '2001:db8:1::/48',
    ]);
    assert.deepEqual(list('192.0.2.1:80'), ['192.0.2.1']);
    assert.deepEqual(list('unknown'), ['unknown']);
  });
});

describe('The budget of an address', () => {
  const slow = { perSecond: 1 / 60, burst: 1 };

  it('is four times as large for a /56', () => {
    const budgets = new AddressBudgets(slow);
    assert.equal(countSpent(budgets, inOneSite), 4);
    assert.ok(budgets.waitMs(inOneSite(255)) > 0);
    assert.equal(budgets.waitMs(inOneSite(256)), 0);
  });

  it('is sixteen times as large for a /48', () => {
    const budgets = new AddressBudgets(slow);
    assert.equal(countSpent(budgets, inOther56), 16);
    assert.ok(budgets.waitMs(inOther56(200)) > 0);
    assert.equal(budgets.waitMs('2001:db8:2::1'), 0);
  });

  it('is not new after a flood of other addresses', () => {
    const budgets = new AddressBudgets({ ...slow, maxKeys: 2 });
    for (let n = 1; n <= 20; n += 1) budgets.spend(`192.0.2.${n}`);
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const waitMs = budgets.waitMs(address);
      assert.ok(waitMs > 59_000, `${address} waits for ${waitMs}`);
    }
  });

  it('is shared by all new ones in a full table', () => {
    const budgets = new AddressBudgets({ ...slow, maxKeys: 2 });
    for (const address of ['192.0.2.1', '192.0.2.2']) budgets.spend(address);
    assert.equal(budgets.waitMs('192.0.2.3'), 0);
    budgets.spend('192.0.2.3');
    assert.ok(budgets.waitMs('192.0.2.4') > 59_000);
  });

  it('is its own again once others have recovered', async () => {
    const budgets = new AddressBudgets({ perSecond: 1, burst: 1, maxKeys: 2 });
    for (let n = 1; n <= 3; n += 1) budgets.spend(`192.0.2.${n}`);
    assert.ok(budgets.waitMs('192.0.2.4') > 0);
    await eventually('there is room', () => budgets.waitMs('192.0.2.4') === 0);
    budgets.spend('192.0.2.4');
    assert.equal(budgets.waitMs('192.0.2.5'), 0);
  });

  it('that is overdrawn adds waiting time', () => {
    const budgets = new AddressBudgets({ perSecond: 1, burst: 60 });
    for (let i = 0; i < 90; i += 1) budgets.spend('192.0.2.1');
    const seconds = budgets.waitMs('192.0.2.1') / 1_000;
    assert.ok(seconds > 30 && seconds <= 31, `${seconds}`);
  });

  it('adds a minute of waiting time at most', () => {
    const budgets = new AddressBudgets({ perSecond: 1, burst: 60 });
    for (let i = 0; i < 10_000; i += 1) budgets.spend('192.0.2.1');
    const seconds = budgets.waitMs('192.0.2.1') / 1_000;
    assert.ok(seconds > 60 && seconds <= 61, `${seconds}`);
  });
});

describe('Failed authentications from one IPv6 site', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: echoRoutes, env: { AUTH_FAILURES_PER_MINUTE: '1', TRUST_PROXY: '1' } });
  });
  after(() => api.stop());

  it('are bounded, whatever network each comes from', async () => {
    const guess = async (address: string) => {
      const headers = { 'x-forwarded-for': address, authorization: 'Bearer guess' };
      return (await fetch(`${api.url}/v1/things`, { headers })).status;
    };
    const startedAt = performance.now();
    let failed = 0;
    while (failed < 100 && (await guess(inOther56(failed))) === 401) failed += 1;
    const refilled = ((performance.now() - startedAt) / 60_000) * 16;
    assert.ok(failed >= 16 && failed <= 16 + refilled, `${failed} failed`);
    assert.equal(await guess('2001:db8:2::1'), 401);
  });
});

describe('One IPv6 site', () => {
  it('leaves a part of the public pages to others', async () => {
    const budget = new PublicBudget(100);
    await budget.pay(inOther56(1), 200);
    await budget.pay(inOther56(2), 100);
    await assert.rejects(budget.pay(inOther56(3), 150), { code: 'rate_limited' });
    await budget.pay('192.0.2.1', 100);
  });

  it('opens as many connections as four addresses', () => {
    const places = new AddressPlaces(2);
    const enterUntilFull = (address: (n: number) => string) => {
      const leaves: (() => void)[] = [];
      for (let leave = places.enter(address(0)); leave !== null; leave = places.enter(address(leaves.length)))
        leaves.push(leave);
      return leaves;
    };
    const [one, of56, of48] = [() => inOneSite(0), inOneSite, inOther56].map(enterUntilFull);
    assert.deepEqual([one?.length, of56?.length, of48?.length], [2, 0, 0]);
    for (const leave of one!) leave();
    const again = enterUntilFull((n) => inOneSite(n));
    assert.equal(again.length, 4);
    const rest = enterUntilFull((n) => inOther56(n + 1));
    assert.equal(rest.length, 4);
    assert.equal(places.enter(inOther56(99)), null);
    for (const leave of [...again, ...rest]) leave();
    assert.equal(enterUntilFull(inOther56).length, 8);
    assert.ok(places.enter('192.0.2.1'));
  });

  it('has one share of the lines of the log', async () => {
    let lines = 0;
    const log = accessLog({ info: () => (lines += 1) } as unknown as Logger);
    for (let n = 0; n < 400; n += 1)
      await log({ status: 404, state: {}, ip: inOneSite(n) } as unknown as Ctx, () => Promise.resolve());
    assert.ok(lines >= 100 && lines < 150, `${lines}`);
  });
});
