import { createSandboxProcessor } from '#processor/sandbox/adapter.ts';
import { openSandboxTransport } from '#processor/sandbox/channel.ts';
import type { ProcessorAnswer, ProcessorRequest } from '#processor/transport.ts';
import { secret, startService, type Service } from '../../sandbox/service.ts';
import { injectFaults, type Protocol } from '../faults.ts';
import { ChargeRow } from '../rows.ts';
import type { CallName } from '../calls.ts';
import type { Books, Subject, Target, Tokens } from '../subject.ts';

export const sandboxTokens: Tokens = {
  succeeds: 'tok_visa',
  declines: {
    generic_decline: 'tok_declined',
    insufficient_funds: 'tok_insufficient_funds',
    expired_card: 'tok_expired_card',
    incorrect_cvc: 'tok_incorrect_cvc',
    lost_card: 'tok_lost_card',
    stolen_card: 'tok_stolen_card',
    processing_error: 'tok_processing_error',
  },
  advises: {
    retry_later: 'tok_declined_retry_later',
    use_another_card: 'tok_declined_use_another_card',
    ask_buyer: 'tok_declined_ask_buyer',
    do_not_retry: 'tok_declined_do_not_retry',
  },
  unknown: 'tok_nobody',
  succeedsLater: 'tok_async_silent',
  refundsFail: 'tok_refund_fails',
  refundsFailLater: 'tok_refund_fails_later',
  bankTellsLater: 'tok_mastercard',
  capturesFailLater: 'tok_capture_fails_later',
  voidsFailLater: 'tok_void_fails_later',
};

const oneCall = 'a charge is sent in one call, whose key it remembers for good';
const noSuchAnswer = 'its dialect has no such answer';

export const sandboxLacks: Target['lacks'] = {
  prepare: oneCall,
  actions: 'its own dialect asks no buyer; its Stripe front does',
  locks: noSuchAnswer,
  running_keys: noSuchAnswer,
  stored_failures: noSuchAnswer,
  bound_keys: noSuchAnswer,
  modes: 'all of its money is a play',
  one_off_tokens: 'its tokens are names, which anybody may use',
  exact_currencies: 'it takes every amount in every currency',
};

const calls: Readonly<Record<string, CallName>> = {
  'POST charges': 'authorize',
  'POST captures': 'capture',
  'POST voids': 'void',
  'POST refunds': 'refund',
  'GET charges': 'find',
  'GET captures': 'find',
  'GET refunds': 'find_refund',
};

const answer = (status: number, body: object): ProcessorAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const protocol: Protocol = {
  readCall: ({ method, path }: ProcessorRequest) => calls[`${method} ${path.split('/')[1] ?? ''}`] ?? 'other',
  readKey: () => null,
  markKept: (kept) => kept,
  answers: {
    rate_limited: answer(503, { error: 'unavailable' }),
    unauthorized: answer(401, { error: 'unauthorized' }),
  },
};

/** Reads what moved for a charge out of the sandbox's own books. */
export async function readServiceBooks(service: Service, row: ChargeRow): Promise<Books> {
  const entries = await service.books(row.key);
  const isVoid = ({ kind, key }: { kind: string; key: string }) =>
    kind === 'void' || (kind === 'refund' && key.endsWith(':void'));
  const sum = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
  const captures = entries.filter(({ kind }) => kind === 'capture');
  const refunds = entries.filter((entry) => entry.kind === 'refund' && !isVoid(entry));
  // What failed later came back.
  const returned = entries.filter(({ kind }) => kind === 'refund_reversal' || kind === 'void_reversal');
  const isUnvoided = ({ kind, key }: { kind: string; key: string }) =>
    kind === 'void_reversal' || key.endsWith(':void');
  return {
    captures: captures.length,
    captured: sum(captures) - sum(entries.filter(({ kind }) => kind === 'capture_reversal')),
    refunds: refunds.length,
    refunded: sum(refunds),
    // The void of a reservation releases it; it gives no money back.
    voided: captures.length === 0 ? 0 : sum(entries.filter(isVoid)) - sum(returned.filter(isUnvoided)),
  };
}

const toCapture = ({ key }: ChargeRow, amount: number) => ({
  key: `elsewhere_${key}`,
  charge_key: key,
  amount,
});

/** The sandbox, in its own dialect. */
export async function openSandboxTarget(): Promise<Target> {
  const service = await startService();
  const settings = { url: service.url, secret };
  const transport = openSandboxTransport(settings);
  // Port 1 is privileged and free: a connection to it is refused.
  const unreachable = createSandboxProcessor({ url: 'http://127.0.0.1:1', secret });

  function newSubject(): Subject {
    const faults = injectFaults(transport, protocol);
    return {
      processor: createSandboxProcessor(settings, faults.transport),
      unreachable,
      tokens: sandboxTokens,
      lacks: sandboxLacks,
      faults,
      newCharge: (how = {}) => new ChargeRow({ token: sandboxTokens.succeeds, ...how }),
      books: (row) => readServiceBooks(service, row),
      async refundElsewhere(row, amount) {
        await service.call('POST', '/refunds', { key: `elsewhere_${row.key}`, charge_key: row.key, amount });
      },
      async actElsewhere(row, action) {
        if (action.do === 'void') await service.call('POST', '/voids', { charge_key: row.key });
        else await service.call('POST', '/captures', toCapture(row, action.amount));
      },
      delayRefund: (key) => service.stageFault({ route: 'refunds', mode: 'pending', key }),
    };
  }

  return {
    name: 'sandbox',
    lacks: sandboxLacks,
    newSubject,
    async stop() {
      await Promise.all([transport.close(), unreachable.close()]);
      await service.stop();
    },
  };
}
