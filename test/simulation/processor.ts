import {
  ProcessorFault,
  type PaymentProcessor,
  type ProcessorFaultCode,
  type SentCharge,
} from '#processor/port.ts';
import { sandboxCapabilities } from '#processor/sandbox/adapter.ts';
import type { Actor, Fate } from './actors.ts';
import type { ProcessorLedger } from './ledger.ts';

/** What faults say. */
const faults: Record<Exclude<Fate, 'done'>, ProcessorFaultCode> = {
  not_sent: 'processor_timeout',
  answer_lost: 'processor_timeout',
  late: 'processor_timeout',
  refused: 'processor_unavailable',
  garbled: 'processor_invalid_response',
  stored_failure: 'processor_timeout',
};

const lose = (fate: Exclude<Fate, 'done'>, renewsKey = false) =>
  new ProcessorFault(faults[fate], `The call ended with ${fate}`, { renewsKey });

/**
 * The processor as an actor reaches it: each request is a call at which the actor stands.
 *
 * @param later takes effects that come after their caller gave up.
 */
export function openProcessor(
  ledger: ProcessorLedger,
  prepares: boolean,
  actor: Actor,
  later: (name: string, effect: () => unknown) => void,
): PaymentProcessor {
  function call<Result>(name: string, effect: () => Result, sent?: SentCharge): Promise<Result> {
    return actor.perform<Result>({
      kind: 'processor',
      name,
      async run(fate) {
        if (sent && ledger.hasFailure(sent)) throw lose('stored_failure', true);
        if (fate === 'stored_failure' && sent && ledger.storeFailure(sent)) throw lose(fate, true);
        if (fate === 'late') later(name, effect);
        const isDone = fate === 'answer_lost' || fate === 'garbled' || (fate === 'refused' && ledger.isLying);
        if (isDone) effect();
        if (fate !== 'done') throw lose(fate);
        return effect();
      },
    });
  }

  return {
    capabilities: sandboxCapabilities,
    acceptsToken: () => true,
    ...(prepares && { prepare: ({ key }: SentCharge) => call(`prepare ${key}`, () => ledger.prepare()) }),
    authorize: (sent) => call(`authorize ${sent.key} ${sent.attempt}`, () => ledger.authorize(sent), sent),
    capture: (sent) => call(`capture ${sent.key} ${sent.amount}`, () => ledger.capture(sent)),
    void: ({ charge, onlyReserved }) => call(`void ${charge.key}`, () => ledger.void(charge, onlyReserved)),
    refund: (sent) => call(`refund ${sent.key} ${sent.amount}`, () => ledger.refund(sent)),
    reverseRefund: ({ key }) => call(`reverse ${key}`, () => ledger.reverseRefund(key)),
    findCharge: (sent) => call(`find ${sent.key}`, () => ledger.findCharge(sent)),
    findCapture: ({ key }) => call(`find capture ${key}`, () => ledger.findCapture({ key })),
    findRefund: ({ key }) => call(`find refund ${key}`, () => ledger.findRefund(key)),
    close: () => Promise.resolve(),
  };
}
