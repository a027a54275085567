import assert from 'node:assert/strict';
import { eventPatterns, eventTypes, presentEvent, type Event } from '#domain/events.ts';
import { presentTimelineEntry } from '#domain/timeline.ts';
import type { Resource } from '#domain/versions/version-change.ts';

const event: Event = {
  id: 'evt_1',
  accountId: 'acct_1',
  sequence: 7,
  type: 'charge.succeeded',
  object: { object: 'charge', status: 'succeeded', failure: null } as Resource,
  createdAt: new Date('2026-11-01T12:00:00.000Z'),
};
const shown = (type: string, object: object) =>
  presentEvent({ ...event, type, object: object as Resource }, '2026-11-01').data.object;

describe('An event over the wire', () => {
  it('shows every member', () => {
    assert.deepEqual(presentEvent(event, '2026-11-01'), {
      id: 'evt_1',
      object: 'event',
      type: 'charge.succeeded',
      timestamp: '2026-11-01T12:00:00.000Z',
      sequence: 7,
      api_version: '2026-11-01',
      account: 'acct_1',
      data: { object: event.object },
    });
  });

  it('shows its resource in the endpoint’s version', () => {
    const { api_version, data } = presentEvent(event, '2026-05-01');
    assert.deepEqual([api_version, (data.object as { status?: string }).status], ['2026-05-01', 'paid']);
  });

  it('completes what earlier releases left out', () => {
    assert.deepEqual(shown('operation.succeeded', { id: 'op_1' }), { id: 'op_1', object: 'operation' });
    const endpoint = { object: 'webhook_endpoint', disables_at: 'later' };
    const completed = { paused_until: null, ...endpoint };
    assert.deepEqual(shown('webhook_endpoint.disabled', endpoint), completed);
    assert.deepEqual(shown('endpoint.test', endpoint), completed);
    assert.deepEqual(shown('endpoint.test', {}), { paused_until: null, disables_at: null });
    assert.deepEqual(shown('customer.created', {}), {});
  });

  it('is subscribed to alone, by kind, or with all', () => {
    const kinds = ['charge', 'refund', 'operation', 'customer', 'webhook_endpoint', 'endpoint'];
    assert.deepEqual(eventPatterns, ['*', ...kinds.map((kind) => `${kind}.*`), ...eventTypes]);
  });
});

describe('A timeline entry over the wire', () => {
  const entry = { position: '1', at: event.createdAt, type: 'processor_answered' };

  it('shows amounts with their currency', () => {
    assert.deepEqual(presentTimelineEntry({ ...entry, detail: { amount: 5 } }, 'EUR'), {
      object: 'timeline_entry',
      at: '2026-11-01T12:00:00.000Z',
      type: 'processor_answered',
      detail: { amount: 5, currency: 'EUR' },
    });
  });

  it('without an amount names no currency', () => {
    const { detail } = presentTimelineEntry({ ...entry, detail: { call: 'charge' } }, 'EUR');
    assert.deepEqual(detail, { call: 'charge' });
  });
});
