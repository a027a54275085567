import { readFileSync, writeFileSync } from 'node:fs';
import { withRooms } from './rooms-table.ts';

/** Writes the rooms into docs/architecture.md again, after a change of test/lint/rooms.ts. */
const page = new URL('../../docs/architecture.md', import.meta.url);
writeFileSync(page, withRooms(readFileSync(page, 'utf8')));
