import { ProcessorFault, type PaymentProcessor, type SentCharge } from '#processor/port.ts';
import type { Transport } from '#processor/transport.ts';

/** A fault planted into the adapter of Stripe, or below it, and the cases that must fail for it, and no other. */
export interface Mutant {
  name: string;
  /** Changes the adapter. */
  adapter?: (processor: PaymentProcessor) => Partial<PaymentProcessor>;
  /** Changes what the adapter sends and reads. */
  transport?: (inner: Transport) => Transport['exchange'];
  fails: readonly string[];
}

type Answered = { kind: string } | null;

/** Calls every decline a generic one. */
function blur<T extends Answered>(outcome: T): T {
  return outcome?.kind === 'declined' ? { ...outcome, declineCode: 'generic_decline' } : outcome;
}

/** Says of no decline what to do. */
function mute<T extends Answered>(outcome: T): T {
  return outcome?.kind === 'declined' ? { ...outcome, advice: undefined } : outcome;
}

/** Reads an answer that cannot be used as "there is none". */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProcessorFault && error.code === 'processor_invalid_response') return null;
    throw error;
  }
}

/** Calls "too many requests" a silence. */
async function orSilence<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    const isLimit = error instanceof ProcessorFault && error.message.includes('rate_limit');
    throw isLimit ? new ProcessorFault('processor_timeout', error.message) : error;
  }
}

/** Takes what a partial capture left for a refund of ours. */
async function findLeft(processor: PaymentProcessor, charge: SentCharge, amount: number) {
  const moved = charge.capture ? [] : await processor.listMovementsOf!(charge);
  const taken = moved.find(({ kind }) => kind === 'capture')?.amount ?? charge.amount;
  return charge.amount - taken === amount ? ({ kind: 'processed', processorId: 're_other' } as const) : null;
}

/** Tells of an authorization only what was done with it through this adapter. */
function hideOthers(processor: PaymentProcessor): Partial<PaymentProcessor> {
  const ours = new Set<string>();
  return {
    capture(sent, options) {
      ours.add(sent.charge.key);
      return processor.capture(sent, options);
    },
    void(sent, options) {
      ours.add(sent.charge.key);
      return processor.void(sent, options);
    },
    async findCharge(charge, options) {
      const found = await processor.findCharge(charge, options);
      const isTheirs = !charge.capture && !ours.has(charge.key);
      if (!isTheirs || (found?.kind !== 'captured' && found?.kind !== 'voided')) return found;
      return { kind: 'authorized', processorId: found.processorId };
    },
  };
}

const ofAdapter: readonly Mutant[] = [
  {
    name: 'every decline is a generic one',
    adapter: (processor) => ({
      authorize: async (...args) => blur(await processor.authorize(...args)),
      findCharge: async (...args) => blur(await processor.findCharge(...args)),
    }),
    fails: [
      'charges: says why it declined, code by code',
      'actions: declines where there is no way back',
      'actions: declines when the buyer fails',
      'lost answers: charge: a decline',
    ],
  },
  {
    name: 'the advice of a decline is lost',
    adapter: (processor) => ({ findCharge: async (...args) => mute(await processor.findCharge(...args)) }),
    fails: ['charges: says what its bank advises after a decline'],
  },
  {
    name: 'a payment that cannot be read is taken for none',
    adapter: (processor) => ({ findCharge: (...args) => orNull(processor.findCharge(...args)) }),
    fails: [
      'charges: takes no money under the reference of another',
      'faults: does not read a missing payment as never seen',
      'faults: uses no answer about another charge',
      'faults: uses no answer with a status that it does not know',
      'faults: uses no answer of the other mode',
      'faults: keeps no text of an answer that it could not use',
    ],
  },
  {
    name: 'a renewed key is never used',
    adapter: (processor) => ({
      authorize: (charge, options) => processor.authorize({ ...charge, attempt: 1 }, options),
    }),
    fails: [
      'actions: takes the money by our own confirm, not before',
      'actions: declines what the bank refuses after the buyer',
      'actions: asks what holds, when its first answer comes again',
      'lost answers: charge: had no effect, and a failure was stored',
      'lost answers: charge: after its buyer has confirmed',
    ],
  },
  {
    name: 'the way back of the buyer is forgotten',
    adapter: (processor) => ({
      authorize: (charge, options) => processor.authorize({ ...charge, returnUrl: null }, options),
    }),
    fails: [
      'actions: names a page where there is a way back',
      'actions: takes the money by our own confirm, not before',
      'actions: declines when the buyer fails',
      'actions: declines what the bank refuses after the buyer',
      'actions: finds the page again',
      'actions: takes nothing after it was voided',
      'actions: asks what holds, when its first answer comes again',
      'lost answers: charge: it asks its buyer',
      'lost answers: charge: after its buyer has confirmed',
    ],
  },
  {
    name: 'a refund does not wait before its next key',
    adapter: (processor) => ({
      refund: (asked, options) => processor.refund({ ...asked, createdAt: new Date(0) }, options),
    }),
    fails: ['lost answers: refund: had no effect, and is not sent anew within a minute'],
  },
  {
    name: 'what a part left counts as a refund of ours',
    adapter: (processor) => ({
      findRefund: async (asked, options) =>
        (await processor.findRefund(asked, options)) ?? findLeft(processor, asked.charge, asked.amount),
    }),
    fails: ['captures: leaves no refund of ours behind a part'],
  },
  {
    name: 'the books leave out what voids gave back',
    adapter: (processor) => ({
      listMovements: async (...args) => {
        const page = await processor.listMovements!(...args);
        return { ...page, movements: page.movements.filter(({ kind }) => kind !== 'void') };
      },
    }),
    fails: ['books: show the void of what was taken', 'books: show both ways of a void that failed later'],
  },
  {
    name: 'a refund that was processed stays so',
    adapter: (processor) => ({
      findRefund: async (asked, options) => {
        const found = await processor.findRefund(asked, options);
        const moved = found?.kind === 'failed' ? await processor.listMovementsOf!(asked.charge) : [];
        const wasProcessed = moved.some(({ kind, key }) => kind === 'refund' && key === asked.key);
        return wasProcessed ? { kind: 'processed', processorId: 're_other' } : found;
      },
    }),
    fails: [
      'refunds: says that it failed later',
      'refunds: leaves the amount of one that failed later',
      'books: show both ways of a refund that failed later',
    ],
  },
  {
    name: 'what the bank tells later is not read',
    adapter: (processor) => ({
      findRefund: async (asked, options) => {
        const found = await processor.findRefund(asked, options);
        return found && { ...found, bankReference: undefined };
      },
    }),
    fails: ['refunds: tells the reference of the bank, also late'],
  },
  {
    name: 'the books leave out the void that did not arrive',
    adapter: (processor) => ({
      listMovements: async (...args) => {
        const page = await processor.listMovements!(...args);
        return { ...page, movements: page.movements.filter(({ kind }) => kind !== 'void_reversal') };
      },
    }),
    fails: ['books: show both ways of a void that failed later'],
  },
  {
    name: 'the request behind a charge is not kept',
    adapter: (processor) => ({
      prepare: ({ origin: _origin, ...charge }, options) => processor.prepare!(charge, options),
    }),
    fails: [
      'requests: come back with the charge that they made',
      'requests: are of use as long as a text may be',
    ],
  },
  {
    name: 'too many requests read as silence',
    adapter: (processor) => ({
      prepare: (...args) => orSilence(processor.prepare!(...args)),
      authorize: (...args) => orSilence(processor.authorize(...args)),
    }),
    fails: ['lost answers: prepare: too many requests', 'lost answers: charge: too many requests'],
  },
  {
    name: 'a void gives back what others captured',
    adapter: (processor) => ({ void: ({ charge }, options) => processor.void({ charge }, options) }),
    fails: ['voids: leaves what was captured where only a reservation goes'],
  },
  {
    name: 'what others captured or released is not told',
    adapter: hideOthers,
    fails: ['captures: tells what was captured elsewhere', 'captures: tells what was released elsewhere'],
  },
  {
    name: 'a capture of another key is taken for ours',
    adapter: (processor) => ({
      capture: async (sent, options) => {
        const found = await processor.findCharge(sent.charge, options);
        if (found?.kind !== 'captured') return processor.capture(sent, options);
        return { kind: 'captured', amountCaptured: found.amountCaptured };
      },
    }),
    fails: [
      'captures: takes an authorization only once',
      'captures: tells what was captured elsewhere',
      'lost answers: a question after a send never says that nothing happened',
    ],
  },
];

const ofTransport: readonly Mutant[] = [
  {
    name: 'the mode of the money is not looked at',
    transport: (inner) => async (request) => {
      const answer = await inner.exchange(request);
      return { ...answer, body: answer.body.replaceAll(/("livemode": ?)true/g, '$1false') };
    },
    fails: ['faults: uses no answer of the other mode'],
  },
  {
    name: 'a stored answer is taken for what holds',
    transport: (inner) => async (request) => {
      const answer = await inner.exchange(request);
      return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': undefined } };
    },
    fails: [
      'voids: releases what was reserved, however often',
      'voids: gives back what was taken, and only once',
      'actions: asks what holds, when its first answer comes again',
      'lost answers: prepare: took effect, and a failure was stored',
      'lost answers: prepare: had no effect, and a failure was stored',
      'lost answers: charge: had no effect, and a failure was stored',
      'lost answers: one-off token: had no effect, and a failure was stored',
      'lost answers: one-off token: used, and the prepare fails for good',
      'lost answers: capture: had no effect, and a failure was stored',
      'lost answers: refund: had no effect, and is not sent anew within a minute',
      'lost answers: a question after a send never says that nothing happened',
    ],
  },
  {
    name: 'requests carry no key',
    transport: (inner) => async (request) => {
      const { 'idempotency-key': _key, ...headers } = request.headers ?? {};
      return inner.exchange({ ...request, headers });
    },
    fails: [
      'lost answers: one-off token: arrived, and silence',
      'lost answers: one-off token: used, and the prepare fails for good',
      'refunds: makes one of ten at once under one key',
      'lost answers: refund: had no effect, and is not sent anew within a minute',
    ],
  },
];

/** Faults that somebody could make in an adapter. */
export const mutants: readonly Mutant[] = [...ofAdapter, ...ofTransport];
