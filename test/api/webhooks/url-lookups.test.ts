import assert from 'node:assert/strict';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { createNameResolver } from '#webhooks/names.ts';
import { withLookupLimit } from '#api/webhooks/endpoint-limits.ts';
import { startNameServer, type NameServer } from '../../support/stack/outside/name-server.ts';

describe('The lookups of merchants’ URLs', () => {
  let names: NameServer;
  before(async () => {
    names = await startNameServer();
  });
  after(() => names.close());

  it('are four at once for one account', async () => {
    const guard = createAddressGuard({ resolve: createNameResolver({ servers: [names.address] }) });
    const look = (account: string, host: string) =>
      withLookupLimit(account, () => guard.findRefusal(new URL(`https://${host}.example/`)));
    names.keepSilent();
    const slow = ['a', 'b', 'c', 'd'].map((host) => look('acct_1', host));
    await assert.rejects(look('acct_1', 'e'), { code: 'rate_limited' });
    const other = look('acct_2', 'f');
    assert.deepEqual(await Promise.all([...slow, other]), Array(5).fill('unresolvable'));
    names.answer(['8.8.8.8']);
    assert.equal(await look('acct_1', 'e'), null);
  });
});
