import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withRooms } from './rooms-table.ts';

describe('docs/architecture.md', () => {
  it('shows the rooms that test/lint/rooms.ts has', () => {
    const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
    assert.ok(
      page === withRooms(page),
      'Run `node --import tsx test/docs/write-rooms.ts`, and commit the page',
    );
  });
});
