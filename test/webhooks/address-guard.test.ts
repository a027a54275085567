import assert from 'node:assert/strict';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { classifyAddress } from '#webhooks/addresses.ts';
import { startNameServer, type NameServer } from '../support/stack/outside/name-server.ts';

/** What each address is, and whether it may be reached (IANA's special-purpose registries). */
const addresses: [what: string, address: string, reach: ReturnType<typeof classifyAddress>][] = [
  ['public', '8.8.8.8', 'public'],
  ['public', '172.32.0.1', 'public'],
  ['public', '2606:4700::1111', 'public'],
  ['loopback', '127.0.0.1', 'loopback'],
  ['loopback', '127.255.255.254', 'loopback'],
  ['loopback', '::1', 'loopback'],
  ['this network', '0.0.0.0', 'refused'],
  ['this network', '0.1.2.3', 'refused'],
  ['private', '10.0.0.1', 'refused'],
  ['private', '172.16.0.1', 'refused'],
  ['private', '172.31.255.255', 'refused'],
  ['private', '192.168.1.1', 'refused'],
  ['carrier-grade NAT', '100.64.0.1', 'refused'],
  ['link-local', '169.254.1.1', 'refused'],
  ['metadata', '169.254.169.254', 'refused'],
  ['metadata of Alibaba Cloud', '100.100.100.200', 'refused'],
  ['metadata of Azure', '168.63.129.16', 'refused'],
  ['protocol assignments', '192.0.0.1', 'refused'],
  ['documentation', '192.0.2.1', 'refused'],
  ['documentation', '198.51.100.1', 'refused'],
  ['documentation', '203.0.113.1', 'refused'],
  ['6to4 relay', '192.88.99.1', 'refused'],
  ['benchmarks', '198.18.0.1', 'refused'],
  ['multicast', '224.0.0.1', 'refused'],
  ['reserved', '240.0.0.1', 'refused'],
  ['broadcast', '255.255.255.255', 'refused'],
  ['unspecified', '::', 'refused'],
  ['mapped loopback', '::ffff:127.0.0.1', 'refused'],
  ['mapped loopback in hex', '::ffff:7f00:1', 'refused'],
  ['mapped public', '::ffff:8.8.8.8', 'refused'],
  ['compatible', '::10.0.0.1', 'refused'],
  ['NAT64', '64:ff9b::a00:1', 'refused'],
  ['local NAT64', '64:ff9b:1::a00:1', 'refused'],
  ['6to4', '2002:a00:1::', 'refused'],
  ['Teredo', '2001::1', 'refused'],
  ['unique local', 'fc00::1', 'refused'],
  ['metadata of AWS', 'fd00:ec2::254', 'refused'],
  ['link-local', 'fe80::1', 'refused'],
  ['link-local with a zone', 'fe80::1%eth0', 'refused'],
  ['public with a zone', '2606:4700::1111%eth0', 'refused'],
  ['site-local', 'fec0::1', 'refused'],
  ['multicast', 'ff02::1', 'refused'],
  ['documentation', '2001:db8::1', 'refused'],
  ['documentation', '3fff::1', 'refused'],
  ['discard', '100::1', 'refused'],
  ['not given out', '4000::1', 'refused'],
  ['no address', 'example.com', 'refused'],
];

/** Ways to write an address that is not public into a URL. */
const disguises: [what: string, url: string][] = [
  ['dotted', 'https://127.0.0.1/'],
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['hex', 'https://0x7f.0x0.0x0.0x1/'],
  ['one hex number', 'https://0x7f000001/'],
  ['short', 'https://127.1/'],
  ['full-width digits', 'https://１２７.0.0.1/'],
  ['percent-encoded', 'https://%31%32%37.0.0.1/'],
  ['IPv6', 'https://[::1]/'],
  ['mapped', 'https://[::ffff:127.0.0.1]/'],
  ['mapped in hex', 'https://[::ffff:a9fe:a9fe]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['metadata in decimal', 'https://2852039166/'],
  ['credentials before it', 'https://example.com@10.0.0.1/'],
  ['a name', 'https://localhost/'],
];

describe('classifyAddress', () => {
  for (const [what, address, reach] of addresses) {
    it(`says ${reach} of ${what} ${address}`, () => assert.equal(classifyAddress(address), reach));
  }
});

describe('The address guard', () => {
  const guard = createAddressGuard();
  const lenient = createAddressGuard({ allowLoopback: true });
  let names: NameServer;
  before(async () => {
    names = await startNameServer();
  });
  after(() => names.close());

  for (const [what, url] of disguises) {
    it(`refuses to register a private address written as ${what}`, async () => {
      assert.equal(await guard.findRefusal(new URL(url)), 'address_refused');
    });
  }

  for (const [what, url] of disguises.filter(([, url]) => /\d/.test(new URL(url).hostname))) {
    it(`refuses to connect to private addresses written as ${what}`, () => {
      assert.throws(() => guard.checkHost(new URL(url).hostname), { code: 'address_refused' });
    });
  }

  it('lets a public address through', async () => {
    assert.equal(await guard.findRefusal(new URL('https://8.8.8.8/hooks')), null);
    guard.checkHost('8.8.8.8');
    guard.checkHost('[2606:4700::1111]');
  });

  it('requires https, of public and of private addresses', async () => {
    assert.equal(await guard.findRefusal(new URL('http://8.8.8.8/')), 'https_required');
    assert.equal(await guard.findRefusal(new URL('http://127.0.0.1/')), 'https_required');
    assert.equal(await guard.findRefusal(new URL('ftp://8.8.8.8/')), 'https_required');
  });

  it('lets http and loopback through for development alone', async () => {
    assert.equal(await lenient.findRefusal(new URL('http://127.0.0.1:4000/')), null);
    assert.equal(await lenient.findRefusal(new URL('http://localhost:4000/')), null);
    assert.equal(await lenient.findRefusal(new URL('https://[::1]/')), null);
    assert.equal(await lenient.findRefusal(new URL('http://8.8.8.8/')), 'https_required');
    assert.equal(await lenient.findRefusal(new URL('https://10.0.0.1/')), 'address_refused');
    assert.equal(await lenient.findRefusal(new URL('https://[::ffff:127.0.0.1]/')), 'address_refused');
  });

  it('refuses a name of which one address is private', async () => {
    names.answer(['8.8.8.8', '10.0.0.1']);
    const mixed = createAddressGuard({ resolve: names.resolve });
    assert.equal(await mixed.findRefusal(new URL('https://hooks.example/')), 'address_refused');
    const error = await new Promise((done) => mixed.lookup('hooks.example', {}, done));
    assert.equal((error as { code?: string }).code, 'address_refused');
  });

  it('reports a name without an address as unresolvable', async () => {
    names.answer([]);
    const asking = createAddressGuard({ resolve: names.resolve });
    assert.equal(await asking.findRefusal(new URL('https://hooks.example/')), 'unresolvable');
  });
});
