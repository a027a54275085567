import { readFileSync } from 'node:fs';

/**
 * The cases that every client of this repository passes, whatever its language: which faults the service shows, and
 * what the client must do about them. `cases.json` has the data, `server.ts` serves them.
 */

/** What a client is asked to do. Ids and bodies are those of `calls`. */
export type CallName =
  | 'create_charge'
  | 'get_charge'
  /** Reads all pages, to the end. */
  | 'list_charges'
  /** With `If-Match`. */
  | 'update_customer'
  | 'delete_customer'
  /** Waits for the end of `calls.operation`. */
  | 'wait_operation'
  /** Reads the result of the export `calls.operation` to the end. */
  | 'download_export';

/** What the calls of all cases name. */
export const calls = {
  charge: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  customer: 'cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  operation: 'op_01JF3ZC5T7P3X9R2V8K4M6N1WD',
  ifMatch: '"1"',
  newCharge: { amount: 1999, currency: 'EUR', payment_method: 'tok_visa' },
  customerChange: { name: 'Ada Lovelace' },
} as const;

/** One answer. Placeholders in it (`{url}`, `{sha256}`, `{in_two_seconds}`) are filled in when it is sent. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** The example that the document has for this operation's success. */
  example?: string;
  /** A problem with this code. */
  problem?: string;
  /** The operation of `calls` in this status. */
  operation?: 'running' | 'succeeded';
  /** The result file, from the start of the request's Range on; `damaged`: with one byte changed. */
  file?: 'whole' | 'damaged';
  /** The file is sent from its beginning, whatever Range asks for. */
  ignores_range?: boolean;
  /** Members that replace those of the example or problem. */
  with?: Record<string, unknown>;
  body?: unknown;
  text?: string;
  /** The connection is cut after so many bytes of the body. */
  cut_after?: number;
}

export interface Case {
  /** As in `POST /_case/{name}`. */
  name: string;
  /** What a client does, as the end of a sentence about it. */
  promise: string;
  call: CallName;
  /** (Default: the client's own) */
  options?: { max_retries?: number; timeout_ms?: number };
  /** The answers to requests for tokens; after them, a token. (Default: none) */
  token_answers?: ('cut' | 'silence' | Answer)[];
  /** In order. `cut`: the connection is cut before a byte is sent; `silence`: nothing ever comes. */
  answers: ('cut' | 'silence' | Answer)[];
  expect: Expectation;
}

/** What must be seen. Without `error` the call succeeds. */
export interface Expectation {
  /** How many requests come, those for tokens apart. */
  requests: number;
  /** `one`: every request has the same Idempotency-Key and body; `none`: no request has a key. */
  key: 'one' | 'none';
  /** The least time in milliseconds between the first request and the second, the second and the third … */
  waits_ms?: number[];
  /** How many requests for tokens come. */
  tokens?: number;
  /** The class of the error, named as in the TypeScript client. */
  error?: string;
  status?: number;
  code?: string;
  decline_code?: string;
  advice?: string;
  /** A part of the error's message. */
  says?: string;
  charge?: string;
  param?: string;
  /** How many items a list gave. */
  items?: number;
  /** The path of the last request. */
  last_path?: string;
  /** What the query of the last request has. */
  last_query?: Record<string, string>;
  /** What headers the last request has, by their names in lower case. */
  last_headers?: Record<string, string>;
  /** How many bytes a download gave; they are those of the file. */
  bytes?: number;
}

export const cases = JSON.parse(
  readFileSync(new URL('cases.json', import.meta.url), 'utf8'),
) as readonly Case[];
