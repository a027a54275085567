import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkHistories } from './history-invariants.ts';
import type { Exchange } from '../load/journal.ts';

/** Histories as clients write them down; each fault of the service is planted in one of them. */

interface Brief {
  from: number;
  to: number;
  status: number | null;
  code?: string;
  charge?: string;
  key?: string | null;
  content?: string;
  /** The version of the row that the answer shows. */
  version?: number;
  text?: string;
  isReplay?: boolean;
}

function exchange({
  from,
  to,
  status,
  code,
  charge = 'ch_A',
  key = 'k',
  content = 'ten euro',
  ...more
}: Brief): Exchange {
  const isCharge = status !== null && code === undefined;
  const isRead = key === null;
  return {
    account: 'acct_1',
    endpoint: isRead ? 'GET /v1/charges/{id}' : 'POST /v1/charges',
    path: isRead ? `/v1/charges/${charge}` : '/v1/charges',
    key,
    body: null,
    fingerprint: content,
    sentAt: from,
    at: to,
    status,
    code: code ?? null,
    text: more.text ?? (isCharge ? `{"id":"${charge}","version":${more.version ?? 1}}` : ''),
    location: isCharge && !isRead ? `/v1/charges/${charge}` : null,
    etag: isCharge ? `"${charge}.${more.version ?? 1}.2026-11-01"` : null,
    isReplay: more.isReplay ?? false,
    isForNow: false,
  };
}

const found = (...briefs: Brief[]) =>
  checkHistories(briefs.map(exchange)).violations.map(({ what }) => what.split(':')[0]);

const lost = (from: number, more: Partial<Brief> = {}): Brief => ({
  from,
  to: from + 20,
  status: null,
  ...more,
});
const made = (from: number, to: number, more: Partial<Brief> = {}): Brief => ({
  from,
  to,
  status: 201,
  ...more,
});
const running = (from: number, to: number): Brief => ({
  from,
  to,
  status: 409,
  code: 'idempotency_key_in_progress',
});
const reused = (from: number, to: number, more: Partial<Brief> = {}): Brief => ({
  from,
  to,
  status: 422,
  code: 'idempotency_key_reused',
  ...more,
});
const refused = (from: number, to: number): Brief => ({ from, to, status: 503, code: 'service_unavailable' });
const read = (from: number, to: number, version: number, more: Partial<Brief> = {}): Brief => ({
  from,
  to,
  status: 200,
  key: null,
  version,
  ...more,
});

const explained: Record<string, Brief[]> = {
  'one answer': [made(0, 10)],
  'an answer that was lost and is replayed': [lost(0), made(30, 40, { isReplay: true })],
  'a decision after its caller had gone': [lost(0), running(30, 40), made(50, 60)],
  'a duplicate while the first one runs': [made(0, 50), running(10, 20)],
  'another content while the first one runs': [made(0, 50), reused(10, 20, { content: 'other' })],
  'a key that another content held and gave back': [
    lost(0, { content: 'other' }),
    reused(5, 15),
    made(30, 40),
    reused(50, 60, { content: 'other' }),
  ],
  'a refusal, and a later try that decides': [refused(0, 10), made(20, 30)],
  'a lost request that decides after a refusal': [lost(0), refused(25, 35), made(40, 50, { isReplay: true })],
  'a refused claim that the next try carries out': [
    refused(0, 10),
    made(20, 30, { isReplay: true, text: '{"id":"ch_A","updated":"1970-01-01T00:00:00.025Z"}' }),
  ],
  'versions that rise, and an old replay': [made(0, 10), read(20, 30, 3), made(40, 50, { isReplay: true })],
  'two reads side by side in either order': [made(0, 10), read(20, 40, 3), read(21, 39, 2)],
};

const planted: [anomaly: string, what: string, ...briefs: Brief[]][] = [
  ['an answer that changes', 'two ids under a key', made(0, 10), made(20, 30, { charge: 'ch_B' })],
  [
    'an answer that changes',
    'another text under a key',
    made(0, 10),
    made(20, 30, { text: '{"id":"ch_A"}' }),
  ],
  [
    'an answer that changes',
    'a key that decides two contents',
    made(0, 10),
    made(20, 30, { content: 'other' }),
  ],
  [
    'an answer that changes',
    'a decline after a success',
    made(0, 10),
    { from: 20, to: 30, status: 402, code: 'card_declined' },
  ],
  ['in progress while none runs', 'in progress after the answer', made(0, 10), running(20, 30)],
  ['in progress while none runs', 'in progress before any other request', running(0, 10), made(20, 30)],
  ['refused as reused by itself', 'reused without another content', made(0, 10), reused(20, 30)],
  [
    'refused as reused by itself',
    'reused by a content that came later',
    reused(0, 10),
    made(20, 30, { content: 'other' }),
  ],
  [
    'a decision that nobody asked for',
    'a replay of what was refused for good',
    refused(0, 10),
    made(20, 30, { isReplay: true, text: '{"id":"ch_A","updated":"1970-01-01T00:00:00.015Z"}' }),
  ],
  ['a read that goes back', 'a stale read', made(0, 10), read(20, 30, 3), read(40, 50, 2)],
  ['a read that goes back', 'a read before its own write', made(0, 10, { version: 2 }), read(20, 30, 1)],
  [
    'a version that reads otherwise',
    'two texts of a version',
    read(0, 10, 2),
    read(20, 30, 2, { text: '{"amount":1}' }),
  ],
  ['an answer before its cause', 'a charge that is read before its request', read(0, 10, 1), made(20, 30)],
];

describe('The check of a run’s histories', () => {
  for (const [what, briefs] of Object.entries(explained)) {
    it(`explains ${what}`, () => assert.deepEqual(found(...briefs), []));
  }

  for (const [anomaly, what, ...briefs] of planted) {
    it(`names ${what}`, () => assert.ok(found(...briefs).includes(anomaly), String(found(...briefs))));
  }

  it('explains whatever an honest service can answer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(200), lasts: fc.nat(100), isLost: fc.boolean() }), { maxLength: 30 }),
        (requests) => {
          // The service decides once, in the middle of the first request, and answers each by its state at the end.
          const first = requests[0];
          const decidedAt = first ? first.at + first.lasts / 2 : 0;
          const briefs = requests.map(({ at, lasts, isLost }, place): Brief => {
            const began = first!.at;
            const [from, to] = [Math.max(at, began), Math.max(at, began) + lasts];
            if (isLost) return { from, to, status: null };
            if (place === 0 || to >= decidedAt) return made(from, Math.max(to, decidedAt));
            return running(from, to);
          });
          assert.deepEqual(found(...briefs), []);
        },
      ),
    );
  });

  it('lets another release add members, and change none', () => {
    const texts = (one: string, other: string) => {
      const briefs = [one, other].map((text, n) => read(n * 100, n * 100 + 50, 2, { text }));
      return checkHistories(briefs.map(exchange), true).violations.map(({ what }) => what.split(':')[0]);
    };
    assert.deepEqual(texts('{"id":"a","list":[{"b":1}]}', '{"id":"a","list":[{"b":1,"c":2}],"d":null}'), []);
    assert.deepEqual(texts('{"id":"a","list":[{"b":1}]}', '{"id":"a","list":[{"b":2}],"d":null}'), [
      'a version that reads otherwise',
    ]);
  });

  it('decides a hundred requests of one key', () => {
    const duplicates = Array.from({ length: 100 }, (_, n) => (n % 3 ? running(n, n + 300) : lost(n)));
    const { tookMs, violations } = checkHistories([...duplicates, made(50, 500)].map(exchange));
    assert.deepEqual(violations, []);
    assert.ok(tookMs < 2_000, `${tookMs} ms`);
  });
});
