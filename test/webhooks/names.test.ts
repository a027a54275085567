import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createNameResolver, type ResolveAll } from '#webhooks/names.ts';
import { startNameServer, type NameServer } from '../support/stack/outside/name-server.ts';

interface Found {
  code: string | undefined;
  addresses: string[];
}

const find = (resolve: ResolveAll, name: string) =>
  new Promise<Found>((done) =>
    resolve(name, (error, addresses: LookupAddress[]) =>
      done({ code: error?.code, addresses: addresses.map(({ address }) => address) }),
    ),
  );

describe('The resolver of merchants’ hosts', () => {
  let names: NameServer;
  let resolve: ResolveAll;
  beforeEach(async () => {
    names = await startNameServer();
    resolve = createNameResolver({ servers: [names.address] });
  });
  afterEach(() => names.close());

  it('finds the addresses of a name', async () => {
    names.answer(['203.0.113.7', '203.0.113.8']);
    const found = await find(resolve, 'hooks.example');
    assert.deepEqual(found, { code: undefined, addresses: ['203.0.113.7', '203.0.113.8'] });
  });

  it('gives a silent name server up within 2 s', async () => {
    names.keepSilent();
    const before = performance.now();
    const found = await Promise.all([find(resolve, 'a.example'), find(resolve, 'b.example')]);
    assert.deepEqual(
      found.map(({ code }) => code),
      ['EAI_AGAIN', 'EAI_AGAIN'],
    );
    assert.ok(performance.now() - before < 8_000, `it took ${performance.now() - before} ms`);
  });

  it('does not ask again soon for a missing host', async () => {
    names.answer([]);
    assert.equal((await find(resolve, 'none.example')).code, 'ENOTFOUND');
    const { asked } = names;
    assert.equal((await find(resolve, 'none.example')).code, 'ENOTFOUND');
    assert.equal(names.asked, asked);
    names.answer(['203.0.113.7']);
    assert.deepEqual((await find(resolve, 'other.example')).addresses, ['203.0.113.7']);
  });

  it('asks once for all who want one name', async () => {
    names.answer(['203.0.113.7']);
    await Promise.all(Array.from({ length: 20 }, () => find(resolve, 'hooks.example')));
    // One question for IPv4, and one for IPv6.
    assert.equal(names.asked, 2);
  });

  it('leaves names unasked while 256 are asked for', async () => {
    names.keepSilent();
    const slow = Array.from({ length: 256 }, (_, n) => find(resolve, `slow-${n}.example`));
    const before = performance.now();
    assert.equal((await find(resolve, 'late.example')).code, 'EAI_AGAIN');
    assert.ok(performance.now() - before < 1_000);
    await Promise.all(slow);
    names.answer(['203.0.113.7']);
    assert.deepEqual((await find(resolve, 'late.example')).addresses, ['203.0.113.7']);
  });

  it('knows localhost without asking a name server', async () => {
    names.keepSilent();
    assert.deepEqual((await find(resolve, 'localhost')).addresses, ['127.0.0.1', '::1']);
    assert.equal(names.asked, 0);
  });
});
