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
