import assert from 'node:assert/strict';
import type { OperationResource } from '#domain/operations.ts';
import type { ProblemResource } from '#domain/problems.ts';
import type { Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';
import type { HttpAnswer, Merchant, SendOptions } from './merchant.ts';

/** What most requests about operations answer: the envelope, or a problem. */
export type OperationBody = OperationResource & Partial<Omit<ProblemResource, 'status' | 'type'>>;

/** `POST /v1/exports` of charges as NDJSON, unless `body` says otherwise. */
export function submitExport(
  merchant: Merchant,
  body: Record<string, unknown> = {},
  options?: SendOptions,
): Promise<HttpAnswer<OperationBody>> {
  return merchant.send('POST', '/v1/exports', { resource: 'charges', format: 'ndjson', ...body }, options);
}

/** Polls until the operation is done. */
export function untilDone(merchant: Merchant, id: string): Promise<OperationBody> {
  return eventually(`${id} is done`, async () => {
    const { body } = await merchant.get<OperationBody>(`/v1/operations/${id}`);
    return body.done && body;
  });
}

/** Submits an export and waits for its file. */
export async function exportFile(
  merchant: Merchant,
  body: Record<string, unknown> = {},
  options?: SendOptions,
): Promise<OperationBody> {
  const { status, body: accepted, text } = await submitExport(merchant, body, options);
  assert.equal(status, 202, text);
  const done = await untilDone(merchant, accepted.id);
  assert.equal(done.status, 'succeeded', JSON.stringify(done));
  return done;
}

/** Fetches what the link leads to, with the merchant's token. */
export function download(
  merchant: Merchant,
  href: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(href, {
    headers: { authorization: `Bearer ${merchant.token}`, ...headers },
    redirect: 'manual',
  });
}

/** The text of a finished operation's result. */
export async function readResult(merchant: Merchant, { response }: OperationBody): Promise<string> {
  assert.ok(response);
  const answer = await download(merchant, response.href);
  assert.equal(answer.status, 200);
  return answer.text();
}

/** A part of a result as its checkpoint tells. */
export interface Part {
  number: number;
  rows: number;
  etag: string;
  created_at: Date;
}

/** What is stored of the operation's result so far. */
export function findParts(env: Environment, id: string): Promise<Part[]> {
  return env.db('operation_parts').where('operation_id', id).orderBy('number');
}
