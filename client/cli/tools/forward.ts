import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrongUse } from '../exits.ts';

/** An event as the service shows it, and delivers it. */
export interface Event {
  id: string;
  type: string;
  sequence: number;
  timestamp: string;
  data: { object: Record<string, unknown> };
}

/** The answer of a receiver. */
export interface Forwarded {
  /** `null`: not within 15 seconds, which is as long as the service waits. */
  status: number | null;
  ms: number;
}

const timeoutMs = 15_000;
/** The longest wait for a receiver that is away. */
const longestMs = 2_000;

/** Signs as the service does (Standard Webhooks 1.0.0, "Signature scheme", symmetric). `at`: the time of the attempt. */
export function sign(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const mac = createHmac('sha256', decodeSecret(secret)).update(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac.digest('base64')}`,
  };
}

function decodeSecret(secret: string): Uint8Array {
  const text = secret.replace(/^whsec_/, '');
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw wrongUse(
      'The webhook secret is not one. It is whsec_ and base64, as `payments listen --print-secret` shows',
    );
  }
}

/** Posts the event once. @throws {TypeError} if no connection is made, or it is cut before an answer */
export async function post(
  url: string,
  secret: string,
  event: Event,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...sign(secret, event.id, new Date(), body) },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    // The status is the answer; what follows it is not read.
    await answer.body?.cancel();
    return { status: answer.status, ms: Math.round(performance.now() - began) };
  } catch (error) {
    if (!timeout.aborted) throw error;
    return { status: null, ms: timeoutMs };
  }
}

/** Posts the event until the receiver has answered: one that is away, or dies meanwhile, gets it again. */
export async function postUntilAnswered(
  url: string,
  secret: string,
  event: Event,
  { signal, onAway }: { signal: AbortSignal; onAway: (reason: string) => void },
): Promise<Forwarded> {
  for (let wait = 50; ; wait = Math.min(longestMs, wait * 2)) {
    try {
      return await post(url, secret, event, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      onAway(error.cause instanceof Error ? error.cause.message : error.message);
    }
    await sleep(wait, undefined, { signal });
  }
}
