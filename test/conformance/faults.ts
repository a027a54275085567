import { ProcessorFault } from '#processor/port.ts';
import type { ProcessorAnswer, ProcessorRequest, Transport } from '#processor/transport.ts';
import type { CallName } from './calls.ts';

/** How an exchange goes wrong. The request is forwarded or not, and the answer is lost or replaced. */
export type FaultMode =
  /** Given up before a byte was written. */
  | 'unsent'
  /** Written, and never arrived. */
  | 'lost'
  /** Arrives after the caller has given up: when the case says so. */
  | 'late'
  /** Took effect, and no answer came. */
  | 'silent'
  /** Took effect, and half of the answer came. */
  | 'garbled'
  /** Took effect, and a gateway answered 502 with a page. */
  | 'gateway'
  /** Never arrived, and a gateway answered 502 with a page. */
  | 'gateway_before'
  /** The answer of a processor that does nothing now. */
  | 'rate_limited'
  | 'locked'
  /** Took effect, and the answer says that the request is under way. */
  | 'running'
  /** Took effect, and an answer 500 is kept under its key. */
  | 'stored_failure'
  /** Had no effect, and an answer 500 is kept under its key. */
  | 'stored_failure_before'
  /** The key was used with other members. */
  | 'key_reused'
  | 'unauthorized'
  /** As if the object did not exist. */
  | 'not_found'
  /** The answer of another mode, or about another object: `change` says what is written instead. */
  | 'changed';

/** The processor's own words for what it says itself. */
export type OwnAnswers = Partial<
  Record<
    'rate_limited' | 'locked' | 'running' | 'failure' | 'key_reused' | 'unauthorized' | 'not_found',
    ProcessorAnswer
  >
>;

/** What a kit must know of a processor's protocol to make faults in it. */
export interface Protocol {
  /** Which call of the port a request belongs to. */
  readCall(request: ProcessorRequest): CallName;
  /** The key under which an answer is kept. */
  readKey(request: ProcessorRequest): string | null;
  /** Marks an answer as one that was kept. */
  markKept(answer: ProcessorAnswer): ProcessorAnswer;
  answers: OwnAnswers;
}

export interface FaultInjector {
  transport: Transport;
  /** The next `times` requests of this call go wrong. */
  next(call: CallName, mode: FaultMode, how?: { times?: number; change?: (body: string) => string }): void;
  /** Lets the requests arrive that are late. */
  deliver(): Promise<void>;
  /** How many requests of a call were made, forwarded or not. */
  count(call?: CallName): number;
}

const page = '<html><h1>502 Bad Gateway</h1></html>';
const gateway: ProcessorAnswer = { status: 502, headers: { 'content-type': 'text/html' }, body: page };

const forwarding: ReadonlySet<FaultMode> = new Set([
  'silent',
  'garbled',
  'gateway',
  'running',
  'stored_failure',
  'changed',
]);

interface Planned {
  call: CallName;
  mode: FaultMode;
  times: number;
  change: (body: string) => string;
}

/** Makes faults between an adapter and its transport, so that they can be made against any processor. */
export function injectFaults(inner: Transport, protocol: Protocol): FaultInjector {
  const planned: Planned[] = [];
  const calls: CallName[] = [];
  const kept = new Map<string, ProcessorAnswer>();
  let late: ProcessorRequest[] = [];

  function take(call: CallName): Planned | null {
    const found = planned.find((one) => one.call === call && one.times > 0);
    if (found) found.times -= 1;
    return found ?? null;
  }

  function own(name: keyof OwnAnswers): ProcessorAnswer {
    const answer = protocol.answers[name];
    if (!answer) throw new Error(`this processor has no answer for ${name}`);
    return answer;
  }

  function keep(request: ProcessorRequest): ProcessorAnswer {
    const key = protocol.readKey(request);
    if (key !== null) kept.set(key, protocol.markKept(own('failure')));
    return own('failure');
  }

  function answerWith(
    fault: Planned,
    request: ProcessorRequest,
    real: ProcessorAnswer | null,
  ): ProcessorAnswer {
    switch (fault.mode) {
      case 'unsent':
        throw new ProcessorFault('processor_unavailable', 'given up before it was sent');
      case 'late':
        late.push(request);
        throw lost();
      case 'lost':
      case 'silent':
        throw lost();
      case 'garbled':
        return { ...real!, body: real!.body.slice(0, -8) };
      case 'changed':
        return { ...real!, body: fault.change(real!.body) };
      case 'gateway':
      case 'gateway_before':
        return gateway;
      case 'stored_failure':
      case 'stored_failure_before':
        return keep(request);
      default:
        return own(fault.mode);
    }
  }

  async function exchange(request: ProcessorRequest): Promise<ProcessorAnswer> {
    const call = protocol.readCall(request);
    calls.push(call);
    const key = protocol.readKey(request);
    const first = key === null ? undefined : kept.get(key);
    if (first) return first;
    const fault = take(call);
    if (!fault) return inner.exchange(request);
    const real = forwarding.has(fault.mode) ? await inner.exchange(request) : null;
    return answerWith(fault, request, real);
  }

  return {
    transport: { exchange, close: async () => undefined },
    next(call, mode, { times = 1, change = (body: string) => body } = {}) {
      planned.push({ call, mode, times, change });
    },
    async deliver() {
      const arriving = late;
      late = [];
      for (const request of arriving) await inner.exchange({ ...request, signal: undefined });
    },
    count: (call) => calls.filter((one) => call === undefined || one === call).length,
  };
}

function lost(): ProcessorFault {
  return new ProcessorFault('processor_timeout', 'the answer was lost');
}
