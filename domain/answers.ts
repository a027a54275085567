import { presentCharge, type Charge } from './charges.ts';
import { operationPath, presentOperation, type Operation } from './operations.ts';
import { presentProblem, type ProblemCode, type ProblemContext, type ProblemExtras } from './problems.ts';
import { presentRefund, type Refund } from './refunds.ts';
import { toVersion } from './versions.ts';
import type { ApiVersion } from './version-change.ts';

/**
 * Answers that are stored with an effect and replayed byte for byte.
 */
export interface RenderedAnswer {
  status: number;
  /** Content-Type, and Location where there is one. */
  headers: Record<string, string>;
  /** UTF-8 JSON. */
  text: string;
}

/** Who is answered: the version it speaks, and what a problem document names. */
export interface AnswerContext extends ProblemContext {
  apiVersion: ApiVersion;
}

/** Seconds after which what is `pending` is worth reading again. */
export const pendingRetryAfter = '1';

const polled = ({ status }: { status: string }): Record<string, string> =>
  status === 'pending' ? { 'retry-after': pendingRetryAfter } : {};

/** A charge as the answer to the request that made or moved it. */
export function answerCharge(
  charge: Charge,
  status: 200 | 201 | 202,
  apiVersion: ApiVersion,
): RenderedAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      location: `/v1/charges/${charge.id}`,
      ...polled(charge),
    },
    text: JSON.stringify(toVersion(apiVersion, presentCharge(charge))),
  };
}

export function answerProblem(
  code: ProblemCode,
  context: AnswerContext,
  detail?: string,
  extras?: ProblemExtras,
): RenderedAnswer {
  const problem = presentProblem(code, context, detail, extras);
  return {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    text: JSON.stringify(problem),
  };
}

/** What the caller of `POST /v1/charges` is told of the charge as it is now: every state has its answer. */
export function answerOutcome(charge: Charge, context: AnswerContext): RenderedAnswer {
  switch (charge.status) {
    case 'pending':
      return answerCharge(charge, 202, context.apiVersion);
    case 'requires_capture':
    case 'succeeded':
      return answerCharge(charge, 201, context.apiVersion);
    case 'cancelled':
      return answerProblem('charge_cancelled', context, undefined, { charge: charge.id });
    case 'failed':
      return answerFailure(charge, context);
  }
}

function answerFailure({ id: charge, failure }: Charge, context: AnswerContext): RenderedAnswer {
  switch (failure?.code) {
    case 'card_declined': {
      const { message, decline_code } = failure;
      return answerProblem('card_declined', context, message, {
        decline_code: decline_code ?? 'generic_decline',
        charge,
      });
    }
    case 'not_sent':
      return answerProblem('payment_not_sent', context, undefined, { charge });
    default:
      return answerProblem('payment_voided', context, undefined, { charge });
  }
}

/** A refund as the answer to the request that made or moved it. */
export function answerRefund(
  refund: Refund,
  status: 200 | 201 | 202,
  apiVersion: ApiVersion,
): RenderedAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      location: `/v1/refunds/${refund.id}`,
      ...polled(refund),
    },
    text: JSON.stringify(toVersion(apiVersion, presentRefund(refund))),
  };
}

/** What the caller who asked for a refund is told once the processor has it, or refused it. */
export function answerRefundOutcome(refund: Refund, context: AnswerContext): RenderedAnswer {
  if (refund.status === 'failed') {
    return answerProblem('refund_failed', context, refund.failure?.message, { refund: refund.id });
  }
  return answerRefund(refund, refund.status === 'pending' ? 202 : 201, context.apiVersion);
}

/** What the caller of a refund's `:cancel` is told once the reversal is decided. */
export function answerReversal(refund: Refund, context: AnswerContext): RenderedAnswer {
  if (refund.status === 'reversed') return answerRefund(refund, 200, context.apiVersion);
  return answerProblem('refund_not_reversible', context);
}

/** What the caller who submitted an operation is told: where to look, and when (contract, Asynchronous operation endpoints). */
export function answerOperation(operation: Operation): RenderedAnswer {
  return {
    status: 202,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      location: operationPath(operation),
      'retry-after': '1',
    },
    // As it was submitted, also when a worker has gone on by the time that the answer is stored.
    text: JSON.stringify(presentOperation(operation, '')),
  };
}
