import { z } from 'zod';
import { declineAdvices, declineCodes } from '#domain/cards/decline-advice.ts';
import { presentProblem, problems, type ProblemCode, type ProblemResource } from '#domain/problems.ts';
import { chargeId, refundId, traceId } from './schemas.ts';

/** Every code there is, in the order of the catalogue. */
export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemCode = z.enum(problemCodes).meta({
  id: 'ProblemCode',
  description: 'What a program branches on. Codes are never renamed; new ones may be added.',
});

export const declineCode = z.enum(declineCodes).meta({
  id: 'DeclineCode',
  description: 'Why a card was refused. `generic_decline` where its issuer gives no reason.',
  example: 'insufficient_funds',
});

export const declineAdvice = z.enum(declineAdvices).meta({
  id: 'DeclineAdvice',
  description:
    'What to do after a decline. `retry_later`: the same card may work later. `use_another_card`: it would be declined again. `ask_buyer`: the buyer corrects the details of the card, or confirms the payment. `do_not_retry`: never try the same card again.',
  example: 'retry_later',
});

const validationFault = z
  .strictObject({
    pointer: z.string().describe('RFC 6901, into the body.').meta({ example: '/amount' }),
    code: z.string().describe('What is wrong; new codes may be added.').meta({ example: 'too_small' }),
    detail: z.string().describe('What to send instead.').meta({ example: 'must be at least 1' }),
  })
  .meta({ id: 'ValidationFault' });

/** A problem document (RFC 9457 §3), as {@link ProblemResource} has it. */
export const problemSchema = z
  .strictObject({
    type: z.url().describe('Where the code is explained.'),
    code: problemCode,
    title: z.string().describe('The same for every occurrence of the code.'),
    status: z.int().min(400).max(599).describe('The status of the answer.'),
    detail: z.string().describe('What went wrong this time, and what to do.'),
    instance: z.string().describe('The path that was asked for.'),
    trace_id: traceId,
    errors: z
      .array(validationFault)
      .min(1)
      .max(100)
      .exactOptional()
      .describe('With `validation_failed` and `card_number_refused`: each fault of the body.'),
    decline_code: declineCode.exactOptional().describe('With a decline: why the card was refused.'),
    advice: declineAdvice.exactOptional().describe('With a decline: what to do next.'),
    charge: chargeId
      .exactOptional()
      .describe(
        'The charge that was declined, refused, voided, never sent or cancelled, which stays readable. In a line of a charge batch also the charge whose outcome is not known yet.',
      ),
    refund: refundId
      .exactOptional()
      .describe('With `refund_failed`: the failed refund, which stays readable.'),
    result: z
      .string()
      .exactOptional()
      .describe(
        'With a charge batch that was cancelled or failed: the path of the result of what was done by then. Of one that failed it can be fetched within minutes.',
      ),
  })
  .meta({
    id: 'Problem',
    description: 'A problem document (RFC 9457).',
  }) satisfies z.ZodType<ProblemResource>;

/** Returns an example of a problem with this code. */
export function exampleProblem(code: ProblemCode): ProblemResource {
  const context = {
    publicUrl: 'https://payments.example',
    instance: '/v1/charges',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  };
  return presentProblem(code, context, undefined, problems[code].example);
}
