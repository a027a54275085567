import { maskCardNumbers } from '#domain/cards/card-numbers.ts';
import type { ProcessorAnswer } from '../transport.ts';

/** Members whose text is shown as it is. All other text is replaced by its length. */
const shown = new Set([
  'object',
  'id',
  'status',
  'type',
  'code',
  'decline_code',
  'advice_code',
  'param',
  'currency',
  'capture_method',
  'confirmation_method',
  'cancellation_reason',
  'failure_reason',
  'pending_reason',
  'reporting_category',
  'charge',
  'refund',
  'capture',
  'payment_intent',
  'latest_charge',
  'request_id',
]);

/** What such text looks like. Anything else is text of people, or a secret. */
const plain = /^[\w.:-]{1,80}$/;
/** Objects that hold data of the card or of its owner. */
const hidden = new Set(['card', 'billing_details', 'payment_method_details', 'payment_method', 'shipping']);
const mostItems = 5;
const maxLength = 4_000;

/**
 * Describes an answer that could not be used, for the operator: its status, its request id, and the shape of its body.
 * Text that is not known to be harmless is left out, so neither secrets nor card data get into a log.
 */
export function describeAnswer({ status, headers, body }: ProcessorAnswer): string {
  const request = headers['request-id'] ?? '';
  const head = `status ${status}${plain.test(request) ? `, request ${request}` : ''}`;
  return maskCardNumbers(`${head}: ${describeBody(body)}`).slice(0, maxLength);
}

function describeBody(body: string): string {
  try {
    return JSON.stringify(strip('', JSON.parse(body)));
  } catch {
    return `${Buffer.byteLength(body)} bytes that are not JSON`;
  }
}

/** A one-off token is worth money as long as nobody has used it. */
function isShown(name: string, text: string): boolean {
  return shown.has(name) && plain.test(text) && !text.startsWith('tok_');
}

function strip(name: string, value: unknown): unknown {
  if (hidden.has(name) && typeof value === 'object' && value !== null) return '(left out)';
  if (typeof value === 'string') return isShown(name, value) ? value : `(${value.length})`;
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => strip(name, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, strip(member, inner)]));
}
