import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { customerRoutes } from '#api/payments/customers.ts';
import { AnswerBudget } from '#api/limits/answer-budget.ts';
import { createPauses } from '#api/json/pauses.ts';
import { eventually } from '../../support/eventually.ts';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';

const mib = 1024 * 1024;
const path = '/v1/customers?limit=100';

/** A connection that asks, and takes at most the first bytes of its answer. */
class SlowReader {
  readonly socket: Socket;
  #head = '';

  constructor(url: string, requests: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.write(requests);
    this.socket.once('data', (bytes: Buffer) => {
      this.#head = bytes.toString('latin1');
      this.socket.pause();
    });
  }

  get status(): number {
    return Number(/^HTTP\/1.1 (\d+)/.exec(this.#head)?.[1] ?? 0);
  }

  /** Takes the rest, which ends early if the server has closed the connection. */
  async isCut(): Promise<boolean> {
    const length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1]);
    let taken = Buffer.byteLength(this.#head, 'latin1') - this.#head.indexOf('\r\n\r\n') - 4;
    this.socket.on('data', (bytes: Buffer) => (taken += bytes.length));
    this.socket.resume();
    if (!this.socket.closed) await once(this.socket, 'close');
    return taken < length;
  }
}

describe('Pages of five megabytes', () => {
  let api: TestApi;
  let other: TestClient;
  let tokens: { large: string; other: string };
  let readers: SlowReader[] = [];
  before(async () => {
    // What is measured is the room for answers, and not the time of a read on a busy machine.
    const env = { LIST_READ_MS: '14000' };
    api = await startApi({ routes: customerRoutes, stalledReaderMs: 3_000, env });
    other = await api.createClient();
    tokens = { large: await api.takeToken(), other: await api.takeToken(other) };
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`name_${n}`.padEnd(40, 'x'), 'é'.repeat(500)]),
    );
    const [{ id }] = (await Promise.all(
      [tokens.large, tokens.other].map((token) => post(token, { name: 'Ada', metadata })),
    )) as [{ id: string }];
    await api.db.raw(
      `insert into customers select (c).* from (select json_populate_record(c, json_build_object(
         'id', 'cus_0' || upper(right(md5(n::text), 25)))) as c from customers c, generate_series(1, 99) n where c.id = ?) x`,
      [id],
    );
  });
  afterEach(() => {
    for (const { socket } of readers) socket.destroy();
    readers = [];
  });
  after(() => api.stop());

  async function post(token: string, body: object): Promise<{ id: string }> {
    const answer = await fetch(`${api.url}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201);
    return (await answer.json()) as { id: string };
  }

  const get = (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(api.url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } });

  const readUnread = (count: number, times = 1) => {
    const end = times === 1 ? 'Connection: close\r\n\r\n' : '\r\n';
    const request = `GET ${path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${tokens.large}\r\n${end}`;
    readers = Array.from({ length: count }, () => new SlowReader(api.url, request.repeat(times)));
  };

  /** Waits until the rate limit of the account is full again: large pages cost tokens. */
  const untilPaid = () =>
    eventually('the tokens are back', async () => {
      const { headers } = await fetch(`${api.url}/v1/customers/cus_none`, {
        headers: { authorization: `Bearer ${tokens.large}` },
      });
      return Number(headers.get('ratelimit-remaining')) >= 198;
    });

  it('are whole, and have a length and a tag', async () => {
    const answer = await get(tokens.large);
    const text = await answer.text();
    const { data, has_more: hasMore } = JSON.parse(text) as {
      data: { metadata: object }[];
      has_more: boolean;
    };
    assert.deepEqual([answer.status, data.length, hasMore], [200, 100, false]);
    assert.ok(data.every(({ metadata }) => Object.keys(metadata).length === 50));
    const length = String(Buffer.byteLength(text));
    assert.ok(Number(length) > 5 * mib);
    assert.equal(answer.headers.get('content-length'), length);
    const head = await get(tokens.large, {}, 'HEAD');
    assert.deepEqual([head.headers.get('content-length'), await head.text()], [length, '']);
    assert.equal(head.headers.get('etag'), answer.headers.get('etag'));
    const known = await get(tokens.large, { 'if-none-match': answer.headers.get('etag') ?? '' });
    assert.equal(known.status, 304);
  });

  it('that nobody reads hold half the room at most', async () => {
    await untilPaid();
    readUnread(40);
    await eventually('all are answered', () => readers.every(({ status }) => status !== 0));
    const served = readers.filter(({ status }) => status === 200);
    assert.ok(served.length >= 3 && served.length <= 8, `${served.length} of 40`);
    assert.ok(readers.every(({ status }) => [200, 429, 503].includes(status)));
    assert.equal((await get(tokens.other)).status, 200, 'another account has room');
    await eventually('its room is free again', async () => (await get(tokens.large)).status === 200);
    const cut = await Promise.all(served.map((reader) => reader.isCut()));
    // The buffers of the system may have taken a whole page.
    assert.ok(cut.some(Boolean), String(cut));
  });

  it('that wait behind others on a lost connection are forgotten', async () => {
    await untilPaid();
    readUnread(1, 5);
    await eventually('the first is answered', () => readers[0]!.status === 200);
    readers[0]!.socket.destroy();
    await eventually('there is room for six', async () => {
      await untilPaid();
      const answers = await Promise.all(Array.from({ length: 6 }, () => get(tokens.large)));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      return answers.every(({ status }) => status === 200);
    });
  });

  it('cost a token for each 256 KiB', async () => {
    await untilPaid();
    const first = await get(tokens.large);
    const next = await get(tokens.large);
    const [before, after] = [first, next].map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    const pieces = Math.ceil(Number(first.headers.get('content-length')) / (256 * 1024));
    assert.ok(before! - after! > pieces / 2 && before! - after! <= pieces, `${before} ${after} ${pieces}`);
    await Promise.all([first, next].map((answer) => answer.arrayBuffer()));
  });
});

describe('An answer budget', () => {
  it('leaves room for one caller more, always', async () => {
    const budget = new AnswerBudget(1_000);
    const take = async (caller: string) => {
      const rooms = [];
      for (let room = await budget.take(caller, 10); room; room = await budget.take(caller, 10))
        rooms.push(room);
      return rooms;
    };
    const taken = await Promise.all(['a', 'b', 'c'].map(take));
    const counts = taken.map((rooms) => rooms.length);
    assert.ok(
      counts.every((count) => count >= 20 && count <= 26),
      String(counts),
    );
    assert.ok(await budget.take('d', 100));
    for (const room of taken.flat()) room.release();
    assert.ok(await budget.take('e', 333));
  });

  it('lets those in who wait, each caller in turn', async () => {
    const budget = new AnswerBudget(90);
    const first = (await budget.take('a', 30))!;
    const order: string[] = [];
    const waits = ['a', 'a', 'b'].map(async (caller) => {
      const room = await budget.take(caller, 30);
      order.push(caller);
      room?.resize(0);
    });
    first.release();
    await Promise.all(waits);
    assert.deepEqual(order, ['b', 'a', 'a']);
  });
});

describe('Long works at the same time', () => {
  it('have one slice in each turn of the loop', async () => {
    let slices = 0;
    let turns = 0;
    let isOver = false;
    const work = async () => {
      const pause = createPauses();
      for (let n = 0; n < 5; n += 1) {
        const until = performance.now() + 3;
        while (performance.now() < until);
        await pause();
        slices += 1;
      }
    };
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(Array.from({ length: 10 }, work));
    isOver = true;
    assert.equal(slices, 50);
    assert.ok(turns >= 50, `${turns} turns`);
  });
});
