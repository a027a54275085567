import { z } from 'zod';
import { unavailable, type Reply } from './replies.ts';

const maxFaults = 100;

const ownRoutes = ['charges', 'captures', 'voids', 'refunds', 'refund-reversals', 'lookups'] as const;
const ownModes = [
  'unavailable',
  'timeout',
  'garbage',
  'reset',
  'slow',
  'pending',
  'wrong_amount',
  'forgotten',
] as const;
/** The calls whose key can be forgotten: what was paid stays, and captures and voids name it. */
const keyedRoutes = ['charges', 'refunds', 'lookups', 'stripe_create'] as const;
/** The calls of Stripe's dialect. The modes below are for these; elsewhere they are a 503. */
const stripeRoutes = [
  'stripe_create',
  'stripe_confirm',
  'stripe_capture',
  'stripe_cancel',
  'stripe_refund',
  'stripe_get',
  'stripe_list',
] as const;
/**
 * 429 before anything, for two reasons; a 500 that is kept under the key, with the effect (`after`) or without; 409, as
 * if another request with the key were under way.
 */
const stripeModes = ['rate_limited', 'locked', 'stored_500', 'in_progress'] as const;

/** A fault of a call in the sandbox's own dialect befalls the same call in Stripe's too. */
const ownNames: Partial<Record<string, string>> = {
  stripe_confirm: 'charges',
  stripe_capture: 'captures',
  stripe_cancel: 'voids',
  stripe_refund: 'refunds',
  stripe_get: 'lookups',
  stripe_list: 'lookups',
};

const isOf = (names: readonly string[], name: string | undefined) => names.includes(name ?? '');

export const faultBody = z
  .strictObject({
    route: z.enum([...ownRoutes, ...stripeRoutes]).optional(),
    /** Any key that the call names: its own, the charge's, the refund's, or the token asked about. */
    key: z.string().min(1).max(255).optional(),
    mode: z.enum([...ownModes, ...stripeModes]),
    /** Before the effect, which then does not take place (`slow`: takes place late), or after it. */
    when: z.enum(['before', 'after']).default('before'),
    times: z.int().min(1).max(10_000).default(1),
    /** For `slow`. */
    delay_ms: z.int().min(0).max(60_000).default(3000),
    /** For `wrong_amount`: the captured amount of the answer, whatever the ledger holds. */
    amount_captured: z.number().optional(),
  })
  .refine((fault) => fault.mode !== 'unavailable' || fault.when === 'before', {
    message: 'a 503 says that nothing happened, so it comes before the effect',
  })
  .refine((fault) => fault.mode !== 'pending' || isOf(['refunds', 'stripe_refund'], fault.route), {
    message: 'pending is for refunds; charges have their tokens',
  })
  .refine(({ mode, route }) => mode !== 'forgotten' || isOf(keyedRoutes, route), {
    message: `forgotten is for ${keyedRoutes.join(', ')}: the key counts as one that was never seen`,
  })
  .refine(({ mode, when }) => !isOf(['rate_limited', 'locked'], mode) || when === 'before', {
    message: 'a 429 says that nothing happened, so it comes before the effect',
  })
  .refine(
    (fault) =>
      fault.mode !== 'wrong_amount' || (fault.when === 'after' && fault.amount_captured !== undefined),
    {
      message: 'wrong_amount changes an answer, so it comes after the effect, and names its amount_captured',
    },
  );

export type Fault = z.output<typeof faultBody>;
export type FaultRoute = NonNullable<Fault['route']>;

/** What a fault changes of a call that is carried out. */
export interface Staged {
  isPending: boolean;
  isForgotten: boolean;
}

/** Faults that a test has staged, oldest first. They live in memory: a restart clears them. */
export interface Faults {
  /** `false` when there are too many. */
  stage(fault: Fault): boolean;
  clear(): void;
  /** The oldest fault that fits the call, which is used up by it. */
  take(route: FaultRoute, keys: string[]): Fault | null;
}

export function createFaults(): Faults {
  let staged: Fault[] = [];
  return {
    stage(fault) {
      if (staged.length >= maxFaults) return false;
      staged.push({ ...fault });
      return true;
    },
    clear() {
      staged = [];
    },
    take(route, keys) {
      if (staged.length === 0) return null;
      const fault = staged.find(
        (one) =>
          (one.route === undefined || one.route === route || one.route === ownNames[route]) &&
          (one.key === undefined || keys.includes(one.key)),
      );
      if (!fault) return null;
      fault.times -= 1;
      if (fault.times === 0) staged = staged.filter((one) => one !== fault);
      return fault;
    },
  };
}

/** Changes what an answer says was captured, in either dialect. */
function changeAmount(reply: Reply, amount: number | undefined): Reply {
  const name = ['amount_captured', 'amount_received'].find((one) => one in reply.body);
  return name ? { ...reply, body: { ...reply.body, [name]: amount } } : reply;
}

/** Changes a reply as the fault says. */
export function spoil(fault: Fault, reply: Reply): Reply {
  switch (fault.mode) {
    case 'unavailable':
      return unavailable;
    case 'timeout':
      return { ...reply, delivery: { manner: 'never' } };
    case 'garbage':
      return { ...reply, delivery: { manner: 'unreadable' } };
    case 'reset':
      return { ...reply, delivery: { manner: 'cut' } };
    case 'slow':
      return { ...reply, delivery: { manner: 'slow', delayMs: fault.delay_ms } };
    case 'wrong_amount':
      return changeAmount(reply, fault.amount_captured);
    default:
      return reply;
  }
}
