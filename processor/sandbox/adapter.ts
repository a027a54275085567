import type { z } from 'zod';
import {
  ProcessorFault,
  type CallOptions,
  type Capabilities,
  type PaymentProcessor,
  type Verb,
} from '../port.ts';
import { builtInCallMs } from '#domain/processor-calls.ts';
import type { ProcessorAnswer, Transport } from '../transport.ts';
import {
  captureAnswer,
  cardAnswer,
  chargeAnswer,
  entriesAnswer,
  notFound,
  refundAnswer,
  toCaptureOutcome,
  toCard,
  toChargeOutcome,
  toMovement,
  toRefundOutcome,
  voidAnswer,
} from './answers.ts';
import { sentAnswer, toTaken } from './sent.ts';
import { openChannel, openSandboxTransport, type Channel } from './channel.ts';

export const sandboxCapabilities: Capabilities = {
  partialCaptures: true,
  voidsCaptures: true,
  recordsAuthorizations: true,
};

/** Entries that surely fit into one answer. */
const entriesPage = 200;
/** Charges and refunds with their origins, of at most 2,000 characters each. */
const sentPage = 20;

function readPage<T>(schema: z.ZodType<T>, answer: ProcessorAnswer): T {
  refuseUnavailable(answer);
  if (answer.status !== 200) throw unreadable(`status ${answer.status}`);
  const parsed = schema.safeParse(parseJson(answer.body));
  if (!parsed.success) throw unreadable('a page with members that are missing or unknown');
  return parsed.data;
}

function unreadable(message: string): ProcessorFault {
  return new ProcessorFault(
    'processor_invalid_response',
    `The processor's answer cannot be used: ${message}`,
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable('it is not JSON');
  }
}

/** Reads the answer about `key`. An answer about another key is a fault. */
function read<T extends { key: string }>(schema: z.ZodType<T>, key: string, answer: ProcessorAnswer): T {
  // 422 is a refusal with an outcome in it; every other status but 200 says nothing of what happened.
  if (answer.status !== 200 && answer.status !== 422) throw unreadable(`status ${answer.status}`);
  const parsed = schema.safeParse(parseJson(answer.body));
  if (!parsed.success) throw unreadable(`status ${answer.status} with members that are missing or unknown`);
  if (parsed.data.key !== key) throw unreadable('it is about another key');
  return parsed.data;
}

/** Returns whether the processor itself says so: a 404 of a proxy must not read as "never seen". */
function saysNotFound(answer: ProcessorAnswer): boolean {
  return answer.status === 404 && notFound.safeParse(parseJson(answer.body)).success;
}

function refuseUnavailable(answer: ProcessorAnswer): void {
  if (answer.status === 401)
    throw new ProcessorFault('processor_unavailable', 'The processor refused our key: status 401', {
      misconfigured: true,
    });
  if (answer.status === 503)
    throw new ProcessorFault('processor_unavailable', 'The processor refused: status 503');
}

/** Sends one request, and reads the answer about `key`. */
interface Call<T extends { key: string }> {
  path: string;
  key: string;
  schema: z.ZodType<T>;
  options: CallOptions | undefined;
}

async function sendTo<T extends { key: string }>(channel: Channel, call: Call<T>, body: object): Promise<T> {
  const answer = await channel('POST', call.path, JSON.stringify(body), call.options?.signal);
  refuseUnavailable(answer);
  return read(call.schema, call.key, answer);
}

async function askFor<T extends { key: string }>(channel: Channel, call: Call<T>): Promise<T | null> {
  const path = call.path + encodeURIComponent(call.key);
  const answer = await channel('GET', path, null, call.options?.signal);
  refuseUnavailable(answer);
  return saysNotFound(answer) ? null : read(call.schema, call.key, answer);
}

/**
 * The port over the sandbox processor's HTTP. It never sends a request twice by itself: sending again is
 * the workflow's decision.
 *
 * @param settings.without what it is declared not to be able to do. (Default: nothing)
 * @param settings.keysKnownMs after so long it counts as one that has forgotten a key. (Default: it forgets none)
 * @param settings.timeoutMs bounds each call, connecting included. (Default: 4000)
 * @param transport (Default: the one of {@link openSandboxTransport})
 */
export function createSandboxProcessor(
  settings: {
    url: string;
    secret: string;
    timeoutMs?: number;
    without?: readonly Ability[];
    keysKnownMs?: number | undefined;
  },
  transport: Transport = openSandboxTransport(settings),
): PaymentProcessor {
  const channel = openChannel(transport, settings.timeoutMs ?? builtInCallMs);
  const processor: PaymentProcessor = {
    capabilities: sandboxCapabilities,
    ...(settings.keysKnownMs !== undefined && { keysKnownMs: settings.keysKnownMs }),
    // An unknown one is declined.
    acceptsToken: (token) => token.startsWith('tok_'),
    ...chargeCalls(channel),
    ...refundCalls(channel),
    ...bookCalls(channel),
    close: () => transport.close(),
  };
  return withoutSome(processor, settings.without ?? []);
}

/** Calls that an adapter need not have. */
const furtherCalls = [
  'reverseRefund',
  'describeToken',
  'listMovements',
  'listMovementsOf',
  'listTaken',
] as const satisfies Verb[];

type Ability = keyof Capabilities | (typeof furtherCalls)[number];

/** What the sandbox can do, and may be declared not to. */
export const sandboxAbilities = [...Object.keys(sandboxCapabilities), ...furtherCalls] as readonly Ability[];

function withoutSome(processor: PaymentProcessor, names: readonly Ability[]): PaymentProcessor {
  const absent = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  return {
    ...processor,
    ...absent(undefined),
    capabilities: { ...processor.capabilities, ...absent(false) },
  };
}

type ChargeCalls = Pick<
  PaymentProcessor,
  'authorize' | 'capture' | 'void' | 'findCharge' | 'findCapture' | 'describeToken'
>;

function chargeCalls(channel: Channel): ChargeCalls {
  return {
    async authorize(charge, options) {
      const { key, token, amount, currency, capture, origin } = charge;
      // Left out of the JSON where there is none.
      const statement_descriptor = charge.statementDescriptor ?? undefined;
      const body = { key, token, amount, currency, capture, statement_descriptor, origin };
      const call = { path: '/charges', key, schema: chargeAnswer, options };
      return toChargeOutcome(await sendTo(channel, call, body));
    },
    async capture({ key, charge, amount }, options) {
      const call = { path: '/captures', key, schema: captureAnswer, options };
      const answer = await sendTo(channel, call, { key, charge_key: charge.key, amount });
      return toCaptureOutcome(answer);
    },
    async void({ charge: { key }, onlyReserved }, options) {
      const call = { path: '/voids', key, schema: voidAnswer, options };
      // Left out of the JSON where it is not so.
      await sendTo(channel, call, { charge_key: key, only_reserved: onlyReserved || undefined });
      return { kind: 'voided' };
    },
    async findCharge(charge, options) {
      const call = { path: '/charges/', key: charge.key, schema: chargeAnswer, options };
      const answer = await askFor(channel, call);
      return answer && toChargeOutcome(answer);
    },
    async findCapture(sent, options) {
      const call = { path: '/captures/', key: sent.key, schema: captureAnswer, options };
      const answer = await askFor(channel, call);
      return answer && toCaptureOutcome(answer);
    },
    async describeToken(token, options) {
      const answer = await askFor(channel, { path: '/tokens/', key: token, schema: cardAnswer, options });
      return answer && toCard(answer);
    },
  };
}

type RefundCalls = Required<Pick<PaymentProcessor, 'refund' | 'reverseRefund' | 'findRefund'>>;

function refundCalls(channel: Channel): RefundCalls {
  return {
    async refund({ key, charge, amount, origin }, options) {
      const call = { path: '/refunds', key, schema: refundAnswer, options };
      return toRefundOutcome(await sendTo(channel, call, { key, charge_key: charge.key, amount, origin }));
    },
    async reverseRefund({ key }, options) {
      const call = { path: '/refund-reversals', key, schema: refundAnswer, options };
      return toRefundOutcome(await sendTo(channel, call, { refund_key: key }));
    },
    async findRefund({ key }, options) {
      const answer = await askFor(channel, { path: '/refunds/', key, schema: refundAnswer, options });
      return answer && toRefundOutcome(answer);
    },
  };
}

type BookCalls = Required<Pick<PaymentProcessor, 'listMovements' | 'listMovementsOf' | 'listTaken'>>;

function bookCalls(channel: Channel): BookCalls {
  async function readBooks(query: string, { signal }: CallOptions = {}) {
    return readPage(entriesAnswer, await channel('GET', `/books?${query}`, null, signal));
  }
  return {
    async listMovements(after, options) {
      const { data, next_after } = await readBooks(`after=${after ?? 0}&limit=${entriesPage}`, options);
      return { movements: data.map(toMovement), next: next_after === null ? null : String(next_after) };
    },
    async listMovementsOf({ key }, options) {
      return (await readBooks(`key=${encodeURIComponent(key)}`, options)).data.map(toMovement);
    },
    async listTaken({ since, after }, options) {
      const path = `/sent?since=${since.toISOString()}&after=${after ?? 0}&limit=${sentPage}`;
      const answer = await channel('GET', path, null, options?.signal);
      const { data, next_after } = readPage(sentAnswer, answer);
      return { taken: data.map(toTaken), next: next_after === null ? null : String(next_after) };
    },
  };
}
