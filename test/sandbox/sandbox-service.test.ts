import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { isFault } from '../conformance/case.ts';
import { sentCapture, sentCharge, sentRefund } from '../support/resources/sent-charge.ts';
import { runToEnd, secret, startService, type Service } from './service.ts';

let service: Service;
let charges = 0;

function newCharge(token = 'tok_visa', capture = true) {
  charges += 1;
  return sentCharge({ key: `ch_service_${charges}`, token, capture });
}

describe('sandbox faults', () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  afterEach(() => service.call('DELETE', '/faults'));

  const modes = [
    ['unavailable', 'before', 'processor_unavailable', 0],
    ['timeout', 'before', 'processor_timeout', 0],
    ['timeout', 'after', 'processor_timeout', 1],
    ['garbage', 'before', 'processor_invalid_response', 0],
    ['garbage', 'after', 'processor_invalid_response', 1],
    ['reset', 'before', 'processor_timeout', 0],
    ['reset', 'after', 'processor_timeout', 1],
    ['slow', 'after', 'processor_timeout', 1],
  ] as const;
  for (const [mode, when, code, entries] of modes) {
    it(`${mode} ${when} the effect is ${code}`, async () => {
      const charge = newCharge();
      await service.stageFault({ route: 'charges', key: charge.key, mode, when });
      const isAnswered = ['unavailable', 'garbage', 'reset'].includes(mode);
      const caller = isAnswered ? service.processor : service.impatient;
      await assert.rejects(caller.authorize(charge), isFault(code));
      assert.equal((await service.books(charge.key)).length, entries);
      assert.equal((await service.processor.authorize(charge)).kind, 'captured');
      assert.equal((await service.books(charge.key)).length, 1);
    });
  }

  it('slow before the effect lets a void overtake', async () => {
    const charge = newCharge();
    await service.stageFault({ route: 'charges', mode: 'slow', when: 'before', delay_ms: 700 });
    const late = service.processor.authorize(charge);
    await service.processor.findCharge(sentCharge({ key: 'ch_other' }));
    await service.processor.void({ charge });
    assert.equal((await late).kind, 'voided');
    assert.deepEqual(await service.books(charge.key), [{ kind: 'void', key: charge.key, amount: 0 }]);
  });

  it('an unknown capture, refund, reversal or void happens once', async () => {
    const { processor, impatient } = service;
    const charge = newCharge('tok_visa', false);
    await processor.authorize(charge);
    const capture = sentCapture(charge, { amount: 900 });
    const refund = sentRefund(charge, { amount: 500 });
    const reversal = { key: refund.key, charge };
    const steps = [
      ['captures', capture.key, () => impatient.capture(capture), () => processor.capture(capture)],
      ['refunds', refund.key, () => impatient.refund(refund), () => processor.refund(refund)],
      [
        'refund-reversals',
        refund.key,
        () => impatient.reverseRefund!(reversal),
        () => processor.reverseRefund!(reversal),
      ],
      ['voids', charge.key, () => impatient.void({ charge }), () => processor.void({ charge })],
    ] as const;
    for (const [route, key, lost, again] of steps) {
      await service.stageFault({ route, key, mode: 'timeout', when: 'after' });
      await assert.rejects(lost(), isFault('processor_timeout'));
      await again();
    }
    assert.deepEqual(await service.books(charge.key), [
      { kind: 'authorization', key: charge.key, amount: 1000 },
      { kind: 'capture', key: capture.key, amount: 900 },
      { kind: 'refund', key: refund.key, amount: 500 },
      { kind: 'refund_reversal', key: refund.key, amount: 500 },
      { kind: 'void', key: charge.key, amount: 900 },
    ]);
  });

  it('a lookup can fail as well', async () => {
    await service.stageFault({ route: 'lookups', key: 'ch_any', mode: 'unavailable' });
    await assert.rejects(
      service.processor.findCharge(sentCharge({ key: 'ch_any' })),
      isFault('processor_unavailable'),
    );
    assert.equal(await service.processor.findCharge(sentCharge({ key: 'ch_any' })), null);
  });

  it('a fault hits its key as often as staged', async () => {
    const [hit, other] = [newCharge(), newCharge()];
    await service.stageFault({ key: hit.key, mode: 'unavailable', times: 2 });
    assert.equal((await service.processor.authorize(other)).kind, 'captured');
    for (let send = 0; send < 2; send += 1) {
      await assert.rejects(service.processor.authorize(hit), isFault('processor_unavailable'));
    }
    assert.equal((await service.processor.authorize(hit)).kind, 'captured');
  });

  it('a cleared fault strikes no more', async () => {
    await service.stageFault({ mode: 'unavailable', times: 10_000 });
    await service.call('DELETE', '/faults');
    assert.equal((await service.processor.authorize(newCharge())).kind, 'captured');
  });

  it('a hundred faults can be staged, not more', async () => {
    for (let fault = 0; fault < 100; fault += 1) await service.stageFault({ mode: 'reset', key: 'ch_never' });
    const { status } = await service.call('POST', '/faults', { mode: 'reset' });
    assert.equal(status, 409);
  });

  it('a 503 after the effect cannot be staged', async () => {
    const { status } = await service.call('POST', '/faults', { mode: 'unavailable', when: 'after' });
    assert.equal(status, 422);
  });
});

describe('sandbox service', () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('answers /health to anyone without a secret', async () => {
    const answer = await fetch(`${service.url}/health`);
    assert.deepEqual([answer.status, await answer.json()], [200, { status: 'ok' }]);
  });

  const guarded = [
    ['POST', '/charges'],
    ['POST', '/faults'],
    ['DELETE', '/faults'],
    ['GET', '/books'],
    ['GET', '/charges/ch_1'],
    ['GET', '/tokens/tok_visa'],
  ] as const;
  for (const [method, path] of guarded) {
    it(`answers ${method} ${path} to its secret only`, async () => {
      for (const authorization of ['', 'Bearer wrong', `Bearer ${secret.slice(0, -1)}x`, secret]) {
        const answer = await fetch(service.url + path, { method, headers: { authorization } });
        assert.equal(answer.status, 401);
      }
    });
  }

  const sound = { key: 'ch_refused', token: 'tok_visa', amount: 1000, currency: 'EUR', capture: true };
  const unsound: [string, unknown, number][] = [
    ['no amount', { ...sound, amount: undefined }, 422],
    ['an amount of nothing', { ...sound, amount: 0 }, 422],
    ['a fraction of a minor unit', { ...sound, amount: 0.5 }, 422],
    ['an amount as text', { ...sound, amount: '1000' }, 422],
    ['a currency in lower case', { ...sound, currency: 'eur' }, 422],
    ['an empty key', { ...sound, key: '' }, 422],
    ['a key of 256 characters', { ...sound, key: 'k'.repeat(256) }, 422],
    ['an unknown member', { ...sound, card: '4242' }, 422],
    ['a list', [], 422],
    ['a body of more than 64 KiB', { ...sound, token: 'x'.repeat(70_000) }, 413],
  ];
  for (const [what, body, status] of unsound) {
    it(`refuses ${what} with ${status}, without any effect`, async () => {
      assert.equal((await service.call('POST', '/charges', body)).status, status);
      assert.deepEqual(await service.books(sound.key), []);
    });
  }

  it('answers 404 to what it does not have', async () => {
    for (const path of ['/', '/charges', '/charges/', '/charges/a/b', '/nothing/a', '/constructor/a']) {
      const answer = await service.call('GET', path);
      assert.deepEqual(answer, { status: 404, body: { error: 'no_such_route' } }, path);
    }
    assert.equal((await service.call('POST', '/constructor', {})).status, 404);
  });

  it('answers 400 to invalid JSON and to invalid paths', async () => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await fetch(`${service.url}/charges`, { method: 'POST', headers, body: '{' });
    assert.equal(answer.status, 400);
    assert.equal((await service.call('GET', '/charges/%')).status, 400);
  });

  it('takes keys with any character', async () => {
    const charge = { ...newCharge(), key: 'ch /?#%&+ü…' };
    await service.processor.authorize(charge);
    assert.equal((await service.processor.findCharge(charge))?.kind, 'captured');
    assert.equal((await service.books(charge.key)).length, 1);
  });

  it('answers 422 with a decline to an unknown token', async () => {
    const { key, token, amount, currency, capture } = newCharge('tok_nobody');
    const sent = { key, token, amount, currency, capture };
    const { status, body } = await service.call('POST', '/charges', sent);
    assert.deepEqual([status, body.error, body.decline_code], [422, 'unknown_token', 'generic_decline']);
  });

  it('answers 422 to a capture of more than authorized', async () => {
    const charge = newCharge('tok_visa', false);
    await service.processor.authorize(charge);
    const capture = { key: 'cap_large', charge_key: charge.key, amount: 1001 };
    const { status, body } = await service.call('POST', '/captures', capture);
    assert.deepEqual([status, body.error, body.status], [422, 'amount_too_large', 'declined']);
  });

  it('survives a caller that disconnects while sending its body', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `POST /charges HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ncontent-length: 100\r\n\r\n{"key"`;
    await new Promise((resolve) => socket.write(head, resolve));
    socket.resetAndDestroy();
    assert.equal((await service.processor.authorize(newCharge())).kind, 'captured');
  });
});

describe('sandbox process', () => {
  const env = { PORT: '0', PROCESSOR_STORE: 'unused', PROCESSOR_SECRET: secret };

  for (const how of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    it(`ends well on ${how}, though a call is held`, async () => {
      const own = await startService();
      const call = own.processor.authorize(newCharge('tok_silent'));
      const lost = assert.rejects(call, isFault('processor_timeout'));
      await own.processor.findCharge(sentCharge({ key: 'ch_1' }));
      assert.equal(await own.end(how), 0);
      await lost;
      await own.stop();
    });
  }

  const wrong: [string, Record<string, string>, RegExp][] = [
    ['no port', { PORT: '' }, /: PORT is required\n$/],
    ['a port that is none', { PORT: 'x' }, /: PORT must be a whole number\n$/],
    ['no store', { PROCESSOR_STORE: '' }, /: PROCESSOR_STORE is required\n$/],
    ['a short secret', { PROCESSOR_SECRET: 'short' }, /: PROCESSOR_SECRET must be at least 16 characters\n$/],
    [
      'an address that is no URL',
      { PROCESSOR_NOTIFY_URL: 'here' },
      /: PROCESSOR_NOTIFY_URL must be an http\(s\) URL\n$/,
    ],
    [
      'a host beyond loopback',
      { HOST: '0.0.0.0' },
      /: HOST is not loopback, .*SANDBOX_ALLOW_NETWORK=1 allows it\n$/,
    ],
  ];
  for (const [what, change, message] of wrong) {
    it(`does not start with ${what}`, async () => {
      const { code, errors } = await runToEnd({ ...env, ...change });
      assert.equal(code, 1);
      assert.match(errors, message);
    });
  }
});
