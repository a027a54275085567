import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import {
  findUnknownOutcome,
  listUnknownOutcomes,
  positionOfUnknown,
  type UnknownOutcome,
} from '#db/operator/unknown-outcomes.ts';
import type { Database } from '#db/knex.ts';
import { findAccount } from '#db/access/accounts.ts';
import { findClaimedCharge } from '#db/payments/charges.ts';
import { findClaimedRefund } from '#db/payments/refunds.ts';
import { isTerminal } from '#domain/charges.ts';
import { isId } from '#domain/ids.ts';
import { isTerminal as isRefundTerminal } from '#domain/refunds.ts';
import { chargeStart, refundStart, type ClaimStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { requireFound } from '../http/nouns.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorRead, defineOperatorWrite, reasonBody } from './operator-route.ts';
import { requireDone, temporalWithinMs } from './temporal-calls.ts';
import { findNext, needsPerson, unknownNexts } from './what-happens-next.ts';
import * as schemas from './schemas.ts';

/** Charges and refunds of which nobody here knows whether money moved. */

/** A younger one is a call that is under way, in seconds. */
export const underWaySeconds = 5;

const kind = z.enum(['charge', 'refund']).meta({ id: 'PaymentKind', description: 'What it is.' });

const whatHappensNext = z
  .strictObject({
    does: z.enum(unknownNexts).meta({
      id: 'UnknownOutcomeNext',
      description: `What its workflow does until the outcome is known. \`ask\`: it asks the processor, and sends again what
the processor has not seen. \`await_processor\`: the processor has it and decides. \`void\`: it gives the money back.`,
    }),
    until: schemas.timestamp
      .nullable()
      .describe('When that ends; `null`: it goes on for as long as it takes.'),
    ends_in: z
      .enum(['void', 'fail'])
      .meta({
        id: 'UnknownOutcomeEnd',
        description: 'What is done then: the charge is voided, or fails since it was never sent.',
      })
      .nullable(),
  })
  .meta({ id: 'WhatHappensNext', description: 'What happens next.' });

const unknownOutcome = z
  .strictObject({
    id: schemas.paymentId,
    object: z.literal('unknown_outcome'),
    kind,
    account: schemas.accountName,
    amount: schemas.amount,
    currency: schemas.currency,
    status: z.string().describe('Of the charge or the refund.').meta({ example: 'pending' }),
    fault: schemas.fault,
    next: whatHappensNext,
    needs_person: z
      .boolean()
      .describe('Nothing here ends it, or what should have ended it is late by 10 minutes.'),
    workflow: schemas.workflow,
    created: schemas.timestamp.describe('When it began.'),
  })
  .meta({ id: 'UnknownOutcome' });

const question = z
  .strictObject({
    id: schemas.paymentId,
    object: z.literal('question'),
    asked: z.boolean().describe('Whether its workflow was told to ask.'),
  })
  .meta({ id: 'OutcomeQuestion' });

export function unknownOutcomeRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'temporal'>): Route[] {
  const { db, pages } = deps;

  const list = defineOperatorRead({
    path: '/operator/unknown-outcomes',
    operationId: 'listUnknownOutcomes',
    summary: 'List charges and refunds of unknown outcome, oldest first',
    description:
      'Their workflows ask the processor, and most end by themselves. `needs_person` says which do not. A charge that waits for its buyer is not here.',
    query: z.strictObject({
      ...pageParameters,
      ...schemas.accountFilter,
      kind: kind.optional().describe('Only charges, or only refunds.'),
      older_than: schemas.olderThan(underWaySeconds),
    }),
    responses: { 200: { description: 'A page of them', schema: createPageSchema(unknownOutcome) } },
    handle(request) {
      const { account: accountId, kind, older_than } = request.query;
      const filter = { accountId, kind, olderThanMs: Number(older_than) * 1_000 };
      const now = currentTime();
      return pages.list(
        request,
        (page, db) => listUnknownOutcomes(db, filter, page),
        (row) => present(row, now),
        positionOfUnknown,
      );
    },
  });

  const read = defineOperatorRead({
    path: '/operator/unknown-outcomes/{id}',
    operationId: 'getUnknownOutcome',
    summary: 'Read a charge or a refund of unknown outcome',
    description: 'Once the outcome is known, it is no longer here: the charge or the refund itself says it.',
    params: z.object({ id: schemas.paymentId }),
    responses: { 200: { description: 'What is known of it', schema: unknownOutcome } },
    async handle({ params: { id } }) {
      const found = requireFound(await findUnknownOutcome(db, id));
      return { status: 200, body: present(found, currentTime()) };
    },
  });

  const ask = defineOperatorWrite({
    path: '/operator/unknown-outcomes/{id}:ask',
    operationId: 'askForOutcome',
    summary: 'Have the processor asked for an outcome now',
    description:
      'Wakes the workflow of the charge or refund, as a notification of the processor does; starts it if it is gone. It moves no money. `asked` is false once the outcome is known.',
    params: z.object({ id: schemas.paymentId }),
    body: reasonBody,
    responses: { 200: { description: 'Whether it is asked', schema: question } },
    async handle({ params: { id } }) {
      const start = requireFound(await findStart(db, id));
      if (start === 'known') return { status: 200, body: { id, object: 'question', asked: false } };
      await requireDone(deps.temporal.wake(start, performance.now() + temporalWithinMs));
      return { status: 200, body: { id, object: 'question', asked: true } };
    },
  });

  return [list, read, ask];
}

/** Returns how the workflow of a payment is started again; `null` if there is no such payment. */
async function findStart(db: Database, id: string): Promise<ClaimStart | 'known' | null> {
  if (isId('refund', id)) {
    const refund = (await findClaimedRefund(db, id))?.refund;
    if (!refund) return null;
    const account = isRefundTerminal(refund) ? null : await findAccount(db, refund.accountId);
    return account ? refundStart(refund, account) : 'known';
  }
  const charge = (await findClaimedCharge(db, id))?.charge;
  if (!charge) return null;
  const account = isTerminal(charge) ? null : await findAccount(db, charge.accountId);
  return account ? chargeStart(charge, account) : 'known';
}

/** Returns an unknown outcome as it goes over the wire. */
export function present(unknown: UnknownOutcome, now: Date): z.output<typeof unknownOutcome> {
  const { id, kind, account, amount, currency, status, fault, workflowId, createdAt } = unknown;
  const { does, until, endsIn } = findNext(unknown);
  return {
    id,
    object: 'unknown_outcome',
    kind,
    account,
    amount,
    currency,
    status,
    fault,
    next: { does, until: until?.toISOString() ?? null, ends_in: endsIn },
    needs_person: needsPerson(unknown, now),
    workflow: workflowId,
    created: createdAt.toISOString(),
  };
}
