import { z } from 'zod';
import { problemCode } from '../http/problem-schema.ts';
import { accountId, operationId, timestamp, webhookDeliveryId, webhookEndpointId } from '../http/schemas.ts';

/** Members that several answers to operators share. */

export const accountName = z
  .strictObject({
    id: accountId,
    name: z.string().describe('As the operator named it.').meta({ example: 'Corner shop' }),
  })
  .meta({ id: 'OperatorAccountName', description: 'An account, by its id and its name.' });

export const workflow = z
  .string()
  .describe('The id of its workflow, as the Temporal UI shows it.')
  .meta({ example: 'charge/acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D/order-6735' });

export const paymentId = z
  .string()
  .regex(/^(?:ch|re)_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({
    id: 'PaymentId',
    description: 'The id of a charge or of a refund.',
    example: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });

export const amount = z.int().min(1).describe('In minor units of the currency.').meta({ example: 1999 });
export const currency = z.string().describe('ISO 4217, in upper case.').meta({ example: 'EUR' });
export const fault = problemCode
  .nullable()
  .describe('The last call that gave no usable answer; `null`: none.');

/** Only what is so old, in seconds. */
export const olderThan = (standard: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number of seconds')
    .default(String(standard))
    .meta({
      description: `Only what is so many seconds old. (Default: ${standard})`,
      type: 'integer',
      pattern: undefined,
      minimum: 0,
      maximum: 9_999_999,
      default: standard,
    });

export const accountFilter = { account: accountId.optional().describe('Only of this account.') };

export { accountId, operationId, timestamp, webhookDeliveryId, webhookEndpointId };

/** Answers of the API in a time. */
export const answerFigures = z
  .strictObject({
    count: z.int().min(0).describe('Answers of the API.').meta({ example: 5_120 }),
    failed: z.int().min(0).describe('Of them, those with 5xx, without the shed ones.').meta({ example: 1 }),
    shed: z
      .int()
      .min(0)
      .describe('Of them, requests that were turned away because of load.')
      .meta({ example: 0 }),
  })
  .meta({ id: 'AnswerFigures', description: 'What the API answered.' });
