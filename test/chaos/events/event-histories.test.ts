import assert from 'node:assert/strict';
import type { Exchange } from '../load/journal.ts';
import type { Receipt } from '../load/receipts.ts';
import { checkEvents } from './event-invariants.ts';
import type { SeenEvent } from './seen-events.ts';

/** What readers and receivers of one account wrote down; each fault of the service is planted in one of them. */

const account = 'acct_1';
const endpointId = 'we_1';

interface Brief {
  journal: Exchange[];
  receipts: Pick<Receipt, 'event' | 'eventId' | 'endpointId' | 'status' | 'at'>[];
  /** Events that ended as dead letters. */
  deadLetters: string[];
}

function exchange(
  method: string,
  path: string,
  [sentAt, at]: [number, number],
  more: Partial<Exchange>,
): Exchange {
  return {
    account,
    endpoint: `${method} ${path.replace(/\?.*/, '').replace(/(ch_|we_)\w+/, '{id}')}`,
    path,
    key: null,
    body: null,
    fingerprint: path,
    sentAt,
    at,
    status: 200,
    code: null,
    text: '',
    location: null,
    etag: null,
    isReplay: false,
    isForNow: false,
    ...more,
  };
}

const event = (sequence: number, charge: string, status = 'succeeded'): SeenEvent => {
  const known = { id: `evt_${sequence}`, account, sequence };
  return { ...known, type: `charge.${status}`, resource: `ch_${charge}`, status };
};
const registered = exchange('POST', '/v1/webhook-endpoints', [0, 10], {
  key: 'we',
  status: 201,
  body: { events: ['charge.*'] },
  location: `/v1/webhook-endpoints/${endpointId}`,
});
/** A request for a charge, and its outcome. */
const pay = (charge: string, times: [number, number], status = 'succeeded') =>
  exchange('POST', '/v1/charges', times, {
    key: charge,
    status: 201,
    text: JSON.stringify({ id: `ch_${charge}`, status }),
    location: `/v1/charges/ch_${charge}`,
  });
const read = (charge: string, times: [number, number], status: string | null) =>
  exchange('GET', `/v1/charges/ch_${charge}`, times, {
    status: status === null ? 404 : 200,
    text: JSON.stringify({ status }),
  });
const page = (after: number, times: [number, number], data: SeenEvent[], has_more = false) =>
  exchange('GET', `/v1/events?order=asc&after_sequence=${after}`, times, {
    text: JSON.stringify({ data, has_more }),
  });
const take = (seen: SeenEvent, at: number, status: number | null = 204) => ({
  event: seen,
  eventId: seen.id,
  endpointId,
  status,
  at,
});

/** Two charges, one after the other; both are told, read in two pages and taken. */
const honest = (): Brief => ({
  journal: [
    registered,
    pay('A', [1_000, 1_020]),
    page(0, [1_030, 1_040], [event(1, 'A')]),
    read('A', [1_050, 1_060], 'succeeded'),
    pay('B', [1_100, 1_120]),
    page(1, [1_130, 1_140], [event(2, 'B')]),
    page(2, [1_150, 1_160], []),
  ],
  receipts: [take(event(1, 'A'), 1_025), take(event(2, 'B'), 1_125)],
  deadLetters: [],
});

function check({ journal, receipts, deadLetters }: Brief): string[] {
  const deliveries = deadLetters.map((event_id) => ({
    endpoint_id: endpointId,
    event_id,
    status: 'dead_letter',
  }));
  const evidence = { journal, receipts, deliveries } as unknown as Parameters<typeof checkEvents>[0];
  return checkEvents(evidence).violations.map(({ what }) => what.split(':')[0]!);
}

const replace = (brief: Brief, place: number, ...by: Exchange[]) =>
  void brief.journal.splice(place, 1, ...by);

const explained: [what: string, change: (brief: Brief) => void][] = [
  ['what an honest service tells', () => undefined],
  [
    'an event that is taken twice, first without an answer',
    ({ receipts }) => {
      receipts.unshift(take(event(1, 'A'), 1_010, null));
    },
  ],
  [
    'a dead letter',
    (brief) => {
      brief.receipts.pop();
      brief.deadLetters.push('evt_2');
    },
  ],
  ['an event that comes while a page is read', (brief) => replace(brief, 6, page(1, [1_110, 1_160], []))],
  [
    'a page that is not the last one',
    (brief) => {
      replace(
        brief,
        5,
        page(0, [1_130, 1_140], [event(1, 'A')], true),
        page(1, [1_141, 1_149], [event(2, 'B')]),
      );
    },
  ],
  [
    'a row that is further than its event',
    (brief) => {
      brief.receipts.push(take(event(3, 'C', 'requires_action'), 1_200));
      brief.journal.push(read('C', [1_300, 1_310], 'cancelled'));
    },
  ],
  [
    'two charges at once, told in either order',
    (brief) => {
      brief.journal.push(pay('C', [1_200, 1_290]), pay('D', [1_210, 1_220]));
      brief.receipts.push(take(event(3, 'D'), 1_215), take(event(4, 'C'), 1_280));
    },
  ],
  [
    'an endpoint that was disabled meanwhile',
    (brief) => {
      brief.receipts.pop();
      brief.journal.push(exchange('PATCH', `/v1/webhook-endpoints/${endpointId}`, [1_090, 1_095], {}));
    },
  ],
];

const planted: [anomaly: string, what: string, change: (brief: Brief) => void][] = [
  [
    'a gap in a sequence',
    'a page without its first event',
    (brief) => replace(brief, 2, page(0, [1_030, 1_040], [event(2, 'B')])),
  ],
  [
    'a gap in a sequence',
    'a page with a hole',
    (brief) => replace(brief, 5, page(1, [1_130, 1_140], [event(2, 'B'), event(4, 'C')])),
  ],
  [
    'events out of order',
    'a page that counts down',
    (brief) => replace(brief, 5, page(0, [1_130, 1_140], [event(1, 'A'), event(2, 'B'), event(1, 'A')])),
  ],
  [
    'events out of order',
    'a charge that is told before one that was over when it began',
    (brief) => {
      brief.journal = [registered, pay('A', [1_000, 1_020]), pay('B', [1_100, 1_120])];
      brief.receipts = [take(event(2, 'A'), 1_200), take(event(1, 'B'), 1_200)];
    },
  ],
  [
    'events out of order',
    'the same, of a charge that only a receiver knew',
    (brief) => {
      brief.journal = [registered, pay('B', [1_100, 1_120])];
      brief.receipts = [take(event(2, 'A'), 1_050), take(event(1, 'B'), 1_200)];
    },
  ],
  [
    'an event before its row',
    'a charge that nobody can read',
    (brief) => replace(brief, 3, read('A', [1_050, 1_060], null)),
  ],
  [
    'an event before its row',
    'a charge that reads as it was before',
    (brief) => replace(brief, 3, read('A', [1_050, 1_060], 'pending')),
  ],
  [
    'an event before its row',
    'a charge that ended otherwise',
    (brief) => replace(brief, 3, read('A', [1_050, 1_060], 'failed')),
  ],
  [
    'an event before its row',
    'an event that only a receiver saw',
    (brief) => {
      brief.receipts.push(take(event(3, 'C'), 1_200, 500));
      brief.journal.push(read('C', [1_201, 1_210], 'pending'));
    },
  ],
  [
    'an event that reads otherwise',
    'two events of one number',
    (brief) => {
      brief.receipts.push({ ...take({ ...event(2, 'B'), id: 'evt_9' }, 1_126), eventId: 'evt_2' });
    },
  ],
  [
    'an event that reads otherwise',
    'a receiver that is told another state',
    (brief) => {
      brief.receipts[1] = { ...take({ ...event(2, 'B'), status: 'failed' }, 1_125) };
    },
  ],
  [
    'an event that a later page leaves out',
    'an empty page after an event was taken',
    (brief) => replace(brief, 5, page(1, [1_130, 1_140], [])),
  ],
  ['a receiver that missed one', 'an event that never came', ({ receipts }) => void receipts.pop()],
  [
    'a receiver that missed one',
    'an event that it refused each time',
    ({ receipts }) => {
      receipts[1] = take(event(2, 'B'), 1_125, 500);
    },
  ],
];

describe('The check of what was told by events', () => {
  for (const [what, change] of explained) {
    it(`explains ${what}`, () => {
      const brief = honest();
      change(brief);
      assert.deepEqual(check(brief), []);
    });
  }

  for (const [anomaly, what, change] of planted) {
    it(`names ${what}`, () => {
      const brief = honest();
      change(brief);
      assert.ok(check(brief).includes(anomaly), String(check(brief)));
    });
  }
});
