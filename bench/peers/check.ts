import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Stack } from '#local/stack.ts';
import { sampleCharge } from '../rig/sample-charge.ts';
import type { ChargeRoute, Side } from './sides.ts';

/** A peer that retries a step without end says nothing. */
const answerTimeoutMs = 20_000;

/**
 * Asks a route twice with one key, and compares: a route that makes two charges of them, or that calls the processor
 * twice, does less than what is compared here.
 *
 * @throws where it does.
 */
export async function checkOncePerKey(stack: Stack, { name, request, countCalls }: Side): Promise<void> {
  if (!request) return;
  const route = await request(randomUUID());
  const before = (await countCalls?.()) ?? 0;
  const first = await post(route);
  const second = await post(route);
  assert.ok(first.id, `${name}: a charge without an id`);
  assert.deepEqual(second, first, `${name}: the second answer to one key is another one`);
  if (countCalls)
    assert.equal((await countCalls()) - before, 1, `${name}: calls of the processor for one key`);
  assert.deepEqual(await readBooks(stack, first.id), ['capture'], `${name}: what the processor has booked`);
}

async function post({ url, headers }: ChargeRoute): Promise<{ httpStatus: number; id: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sampleCharge),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  return { httpStatus: answer.status, ...((await answer.json()) as { id: string }) };
}

/** Returns the kinds of the entries of the processor's ledger under a charge. */
async function readBooks(stack: Stack, id: string): Promise<string[]> {
  const answer = await fetch(`${stack.processorUrl}/books?key=${id}`, {
    headers: { authorization: `Bearer ${stack.env['PROCESSOR_SECRET']}` },
  });
  const { data } = (await answer.json()) as { data: { kind: string }[] };
  return data.map(({ kind }) => kind);
}
