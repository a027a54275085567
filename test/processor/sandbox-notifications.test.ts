import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandboxNotificationParser } from '#processor/sandbox/notifications.ts';
import { eventually } from '../support/eventually.ts';
import { sentCharge, sentRefund } from '../support/resources/sent-charge.ts';
import { secret, startService, type Service } from '../sandbox/service.ts';

interface Posted {
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** A loopback receiver that keeps what is posted, and answers as it is told. */
interface Receiver {
  url: string;
  posted: Posted[];
  answer: { status: number };
  close(): void;
}

async function readPost(request: IncomingMessage): Promise<Posted> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { headers: request.headers as Posted['headers'], body: Buffer.concat(chunks) };
}

async function startReceiver(): Promise<Receiver> {
  const posted: Posted[] = [];
  const answer = { status: 204 };
  const server: Server = createServer((request, response) => {
    void readPost(request).then((post) => {
      posted.push(post);
      response.writeHead(answer.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/processor/notifications`;
  return { url, posted, answer, close: () => (server.closeAllConnections(), server.close()) };
}

describe('sandbox notifications', () => {
  const parser = createSandboxNotificationParser([secret]);
  let receiver: Receiver;
  let service: Service;
  let charges = 0;

  before(async () => {
    receiver = await startReceiver();
    service = await startService({ PROCESSOR_NOTIFY_URL: receiver.url });
  });
  after(async () => {
    await service.stop();
    receiver.close();
  });
  beforeEach(() => {
    receiver.answer.status = 204;
  });

  async function send(token: string): Promise<string> {
    charges += 1;
    const key = `ch_told_${charges}`;
    await service.processor.authorize(sentCharge({ key, token }));
    return key;
  }
  const about = (key: string) =>
    receiver.posted.filter((post) => parser.parseNotification(post.headers, post.body)?.key === key);
  const told = (key: string, times: number) =>
    eventually(`${key} was told of`, () => about(key).length >= times && about(key));

  for (const [token, kind] of [
    ['tok_async', 'captured'],
    ['tok_async_declined', 'declined'],
  ] as const) {
    it(`tells of ${token} once its outcome is known`, async () => {
      const key = await send(token);
      assert.equal(about(key).length, 0);
      await told(key, 1);
      assert.equal((await service.processor.findCharge(sentCharge({ key })))?.kind, kind);
    });
  }

  it('tells of tok_async_twice twice, the older one last', async () => {
    const key = await send('tok_async_twice');
    const times = (await told(key, 2)).map((post) => Number(post.headers['processor-timestamp']));
    assert.ok(times[1]! < times[0]!, `${times[1]} is older than ${times[0]}`);
  });

  it('tells nothing of what is silent, immediate or voided', async () => {
    const [silent, immediate, voided] = [
      await send('tok_async_silent'),
      await send('tok_visa'),
      await send('tok_async'),
    ];
    await service.processor.void({ charge: sentCharge({ key: voided }) });
    await told(await send('tok_async'), 1);
    assert.deepEqual([silent, immediate, voided].flatMap(about), []);
  });

  it('tells again until it is heard, then no more', async () => {
    receiver.answer.status = 500;
    const key = await send('tok_async');
    await told(key, 2);
    receiver.answer.status = 204;
    const heard = (await told(key, 3)).length;
    await told(await send('tok_async'), 1);
    assert.equal(about(key).length, heard);
  });

  it('tells after a crash what it still owed', async () => {
    receiver.answer.status = 503;
    const settled = await send('tok_async');
    await told(settled, 1);
    const pending = await send('tok_async');
    await service.crash();
    const before = about(settled).length;
    receiver.answer.status = 204;
    await told(settled, before + 1);
    await told(pending, 1);
  });

  it('does not repeat after a crash what was received', async () => {
    const key = await send('tok_async');
    await told(key, 1);
    const journaled = () => readFileSync(service.store, 'utf8').split('\n');
    await eventually('it is written that it was heard', () =>
      journaled().some((line) => line.includes('"told"') && line.includes(key)),
    );
    await service.crash();
    await told(await send('tok_async'), 1);
    assert.equal(about(key).length, 1);
  });

  it('reports a refund that was staged as pending', async () => {
    const charge = await send('tok_visa');
    await service.stageFault({ route: 'refunds', mode: 'pending' });
    const refund = sentRefund(sentCharge({ key: charge }), { amount: 400 });
    assert.equal((await service.processor.refund(refund)).kind, 'pending');
    await told(refund.key, 1);
    assert.equal((await service.processor.findRefund(refund))?.kind, 'processed');
  });
});

describe('sandbox notification parser', () => {
  const parser = createSandboxNotificationParser([secret]);
  const now = () => Math.floor(Date.now() / 1000);

  function signed(body: string, timestamp: number | string = now(), by = secret): Posted {
    const signature = createHmac('sha256', by).update(`${timestamp}.${body}`).digest('hex');
    return {
      headers: { 'processor-timestamp': String(timestamp), 'processor-signature': `v1=${signature}` },
      body: Buffer.from(body),
    };
  }
  const parse = ({ headers, body }: Posted) => parser.parseNotification(headers, body);

  it('accepts signatures of either secret, but no third one', () => {
    const two = createSandboxNotificationParser(['the-secret-before-this', 'the-secret-from-now']);
    const keys = ['the-secret-before-this', 'the-secret-from-now', secret].map((by) => {
      const { headers, body } = signed('{"key":"ch_1"}', now(), by);
      return two.parseNotification(headers, body)?.key;
    });
    assert.deepEqual(keys, ['ch_1', 'ch_1', undefined]);
  });

  it('takes what the processor signed', () => {
    const taken = { id: 'evt_1', key: 'ch_1' };
    assert.deepEqual(parse(signed('{"id":"evt_1","key":"ch_1"}')), taken);
    assert.deepEqual(parse(signed('{"id":"evt_1","key":"ch_1"}', now() - 290)), taken);
  });

  it('knows one without an id by its signature', () => {
    const at = now();
    const [first, again, later] = [2, 2, 1].map((age) => parse(signed('{"key":"ch_1"}', at - age)));
    assert.deepEqual([first?.key, first?.id.length], ['ch_1', 64]);
    assert.deepEqual(again, first);
    assert.notEqual(later?.id, first?.id);
  });

  const good = () => signed('{"key":"ch_1"}');
  const refused: [string, () => Posted][] = [
    ['no signature', () => ({ ...good(), headers: { 'processor-timestamp': String(now()) } })],
    ['no timestamp', () => ({ ...good(), headers: { ...good().headers, 'processor-timestamp': undefined } })],
    ['another secret', () => signed('{"key":"ch_1"}', now(), 'another-secret-of-16')],
    ['another body', () => ({ ...good(), body: Buffer.from('{"key":"ch_2"}') })],
    [
      'another timestamp',
      () => ({ ...good(), headers: { ...good().headers, 'processor-timestamp': String(now() + 1) } }),
    ],
    [
      'a short signature',
      () => ({ ...good(), headers: { ...good().headers, 'processor-signature': 'v1=ab' } }),
    ],
    [
      'another scheme',
      () => ({ ...good(), headers: { ...good().headers, 'processor-signature': `v0=${'0'.repeat(64)}` } }),
    ],
    ['an old timestamp', () => signed('{"key":"ch_1"}', now() - 310)],
    ['a timestamp to come', () => signed('{"key":"ch_1"}', now() + 310)],
    ['a timestamp that is no number', () => signed('{"key":"ch_1"}', 'NaN')],
    ['a body that is not JSON', () => signed('{"key":')],
    ['a body without a key', () => signed('{}')],
    ['a key that is no text', () => signed('{"key":1}')],
  ];
  for (const [what, make] of refused) {
    it(`refuses a notification with ${what}`, () => {
      assert.equal(parse(make()), null);
    });
  }
});
