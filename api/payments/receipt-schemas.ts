import { z } from 'zod';
import { authenticationResults, cardFundings, checkResults, receiptBrands } from '#domain/cards/receipt.ts';
import { processorId } from '../http/schemas.ts';

/** What a processor told of a payment, over the wire: the receipts of charges and refunds. */

const card = z
  .strictObject({
    brand: z
      .enum(receiptBrands)
      .meta({ id: 'ChargeCardBrand', description: 'The network of the card.', example: 'visa' }),
    last4: z.string().describe('The last four digits.').meta({ example: '4242' }),
    exp_month: z.int().describe('1 to 12.').meta({ example: 12 }),
    exp_year: z.int().describe('Four digits.').meta({ example: 2034 }),
    funding: z
      .enum(cardFundings)
      .meta({ id: 'CardFunding', description: 'Where the money comes from.' })
      .nullable()
      .describe('`null`: unknown.')
      .meta({ example: 'credit' }),
    country: z.string().nullable().describe('Of its bank: ISO 3166, two letters.').meta({ example: 'DE' }),
    wallet: z.string().nullable().describe('Such as `apple_pay`.').meta({ example: null }),
    fingerprint: z
      .string()
      .nullable()
      .describe('The same text for the same card at one processor.')
      .meta({ example: 'Xt5EWLLDS7FJjR1c' }),
  })
  .meta({ id: 'ChargeCard', description: 'The card that pays, as the processor tells it' });

const check = z
  .enum(checkResults)
  .meta({ id: 'CardCheckResult', description: 'What a check of the card said.' });

const checks = z
  .strictObject({
    cvc: check.describe('Of the security code.'),
    postal_code: check.describe("Of the buyer's postal code."),
  })
  .meta({ id: 'CardChecks', description: 'What was checked of the card' });

const threeDSecure = z
  .strictObject({
    result: z
      .enum(authenticationResults)
      .meta({ id: 'AuthenticationResult', description: 'How the authentication of the buyer ended.' }),
    liability_shifted: z
      .boolean()
      .nullable()
      .describe('Whether the bank bears a fraud; `null` where the processor does not say.'),
  })
  .meta({ id: 'ThreeDSecure', description: 'The authentication of the buyer' });

const processor = z
  .strictObject({
    id: processorId
      .nullable()
      .describe('`null`: the one that the service is set up with.')
      .meta({ example: null }),
    kind: z
      .string()
      .nullable()
      .describe('Such as `stripe`; `null` for charges from before it was kept.')
      .meta({ example: 'stripe' }),
    reference: z
      .string()
      .nullable()
      .describe("The payment's name at the processor; `null` until it told one.")
      .meta({ example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' }),
  })
  .meta({ id: 'ChargeProcessor', description: 'Where the money is' });

const refundProcessor = z
  .strictObject({
    id: processor.shape.id,
    kind: z
      .string()
      .nullable()
      .describe('Such as `stripe`; `null` for refunds of charges from before it was kept.')
      .meta({ example: 'stripe' }),
    reference: z
      .string()
      .nullable()
      .describe("The refund's name at the processor; `null` until it told one.")
      .meta({ example: 're_3MtwBwLkdIwHu7ix0XJVUZbC' }),
  })
  .meta({ id: 'RefundProcessor', description: 'Where the refund was made' });

/** The members of a refund that its processor tells. */
export const refundReceiptMembers = {
  processor: refundProcessor
    .nullable()
    .describe(
      'The processor that gives the money back, and its reference of the refund; `null` for refunds from before it was kept.',
    )
    .meta({ example: { id: null, kind: 'stripe', reference: 're_3MtwBwLkdIwHu7ix0XJVUZbC' } }),
  bank_reference: z
    .string()
    .nullable()
    .describe(
      'The number under which the bank of the buyer finds the money. It may come days after the refund was processed; `null` until then.',
    )
    .meta({ example: '74537604221431003881865' }),
};

/** A filter by the processor's own reference. */
export const processorReference = z.string().min(1).max(255).optional();

/** The members of a charge that its processor tells. */
export const receiptMembers = {
  card: card.nullable().describe('The card that pays; `null` until the processor has told it.'),
  checks: checks.nullable().describe('What was checked of the card; `null` until it was told.'),
  three_d_secure: threeDSecure
    .nullable()
    .describe('How the buyer was authenticated; `null` if it was not.')
    .meta({ example: null }),
  authorization_code: z
    .string()
    .nullable()
    .describe("The bank's code for the authorization.")
    .meta({ example: '673512' }),
  processor: processor.describe('The processor that takes the charge, and its reference of the payment.'),
};
