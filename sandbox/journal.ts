import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** The store cannot be read as it stands; the message says where. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** An event could not be kept, so what it says has not happened. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable';
}

/**
 * An append-only file of JSON lines. A line is in the kernel's hands before {@link append} returns, so a
 * killed process loses nothing it has answered; the loss of the machine is not provided for.
 */
export interface Journal<Event> {
  /** @throws {JournalUnwritable} having left the file as it was. */
  append(event: Event): void;
  close(): void;
}

/** Calls `onLine` for each complete line; returns the offset behind the last one. */
function readLines(fd: number, onLine: (line: string, start: number) => void): number {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    const length = readSync(fd, chunk, 0, chunkBytes, offset + rest.length);
    if (length === 0) return offset;
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      onLine(bytes.toString('utf8', start, end), offset + start);
      start = end + 1;
    }
    offset += start;
    rest = bytes.subarray(start);
  }
}

/** Hands every event to `onEvent`; returns the length of the file's sound part. */
function replay<Event>(path: string, fd: number, onEvent: (event: Event) => void): number {
  let torn: number | null = null;
  const end = readLines(fd, (line, start) => {
    // Only the last line may be torn: behind it nothing was ever written.
    if (torn !== null) throw new JournalDamaged(`${path} is damaged at byte ${torn}`);
    try {
      onEvent(JSON.parse(line) as Event);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      torn = start;
    }
  });
  return torn ?? end;
}

function openForAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, 'a+', 0o600);
}

/**
 * Replays the journal at `path` (made when missing) into `onEvent`, drops a torn last line, and opens it for
 * more. One process at a time.
 *
 * @throws {JournalDamaged} when a line that is not the last cannot be read.
 */
export function openJournal<Event>(path: string, onEvent: (event: Event) => void): Journal<Event> {
  const fd = openForAppend(path);
  let size = replay(path, fd, onEvent);
  let isSound = true;

  /** Half a line would tear the next one. */
  function cutBack(): void {
    isSound = false;
    ftruncateSync(fd, size);
    isSound = true;
  }

  if (statSync(path).size !== size) cutBack();
  return {
    append(event) {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      try {
        if (!isSound) cutBack();
        const written = writeSync(fd, line);
        if (written !== line.length) throw new Error(`${written} of ${line.length} bytes written`);
        size += written;
      } catch (error) {
        cutBack();
        throw new JournalUnwritable(`cannot append to ${path}`, { cause: error });
      }
    },
    close: () => closeSync(fd),
  };
}
