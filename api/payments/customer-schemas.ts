import { z } from 'zod';
import type { CustomerProfile } from '#domain/customers.ts';
import { listParameters, metadataParameter } from '../http/list-schemas.ts';
import { customerId, metadata, metadataPatch, paymentMethodId, timestamp } from '../http/schemas.ts';

/** Customers and their payment methods over the wire. */

const name = z.string().min(1).max(200).meta({
  id: 'CustomerName',
  description: 'The name of the customer, 1 to 200 characters',
  example: 'Ada Lovelace',
});

const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
  .meta({
    id: 'Email',
    description: 'An email address, at most 254 characters',
    example: 'ada@example.com',
  });

const description = z
  .string()
  .min(1)
  .max(500)
  .meta({ id: 'Description', description: 'Your own words, 1 to 500 characters' });

/** `null` means the same as a member that is left out. */
const profile = {
  name: name.nullish(),
  email: email.nullish(),
  description: description.nullish(),
  metadata: metadata.default({}),
};

const exampleProfile = { name: 'Ada Lovelace', email: 'ada@example.com' };

export const newCustomer = z
  .strictObject(profile)
  .transform(toProfile)
  .meta({ id: 'NewCustomer', example: exampleProfile });

/** The body of a PUT, and the result of a PATCH: a member that is left out is reset. */
export const customerReplacement = z
  .strictObject({
    ...profile,
    default_payment_method: paymentMethodId
      .nullish()
      .describe('The card that charges of this customer use by default. It must be one of its own.'),
  })
  .transform(toProfile)
  .meta({ id: 'CustomerReplacement', example: exampleProfile });

interface Profile extends Pick<CustomerProfile, 'metadata'> {
  name?: string | null | undefined;
  email?: string | null | undefined;
  description?: string | null | undefined;
  default_payment_method?: string | null | undefined;
}

function toProfile({
  name = null,
  email = null,
  description = null,
  metadata,
  default_payment_method: defaultPaymentMethod = null,
}: Profile): CustomerProfile {
  return { name, email, description, metadata, defaultPaymentMethod };
}

/** RFC 7386: `null` removes a member; a member that is left out stays. */
export const customerPatch = z
  .strictObject({
    name: profile.name,
    email: profile.email,
    description: profile.description,
    metadata: metadataPatch.nullish().describe('Names to set or to remove; `null` removes all.'),
    default_payment_method: paymentMethodId
      .nullish()
      .describe('The card that charges of this customer use by default. It must be one of its own.'),
  })
  .meta({ id: 'CustomerPatch', example: { email: 'ada@example.com' } });

export const attachment = z
  .strictObject({
    token: z
      .string()
      .regex(/^tok_[A-Za-z0-9_]{1,100}$/, 'must be a token `tok_…`')
      .describe('The token of the processor for the card.')
      .meta({ example: 'tok_visa' }),
  })
  .meta({ id: 'PaymentMethodAttachment' });

export const detachment = z
  .strictObject({ payment_method: paymentMethodId.describe('The payment method to remove.') })
  .meta({ id: 'PaymentMethodDetachment' });

export const customerQuery = z.strictObject({
  ...listParameters,
  ...metadataParameter,
  email: email.optional().describe('Only customers with exactly this email address.'),
});

const card = z
  .strictObject({
    brand: z
      .enum(['visa', 'mastercard', 'amex', 'discover'])
      .meta({ id: 'CardBrand', description: 'The network of the card' }),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .describe('The last four digits of the card.')
      .meta({ example: '4242' }),
    exp_month: z.int().min(1).max(12).describe('The month in which it expires.').meta({ example: 12 }),
    exp_year: z.int().min(2000).max(9999).describe('The year in which it expires.').meta({ example: 2030 }),
  })
  .meta({ id: 'Card', description: 'What may be shown of a card' });

const paymentMethodResource = z
  .strictObject({
    id: paymentMethodId,
    object: z.literal('payment_method'),
    type: z.literal('card').describe('The only kind there is.'),
    card,
  })
  .meta({ id: 'PaymentMethod', description: 'A card that a customer keeps on file' });

export const customerResource = z
  .strictObject({
    id: customerId,
    object: z.literal('customer'),
    name: name.nullable(),
    email: email.nullable(),
    description: description.nullable().meta({ example: null }),
    metadata,
    default_payment_method: paymentMethodId
      .nullable()
      .describe('The card that charges of this customer use by default; `null` if there is none.'),
    payment_methods: z.array(paymentMethodResource).describe('The cards on file, newest first.'),
    created: timestamp.describe('When the customer was made.'),
    updated: timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'Customer', description: 'A payer, with the cards on file' });

/** A deleted customer, as events show it. */
export const deletedCustomerResource = z
  .strictObject({
    id: customerId,
    object: z.literal('customer'),
    // No literal: a generator for Java makes an enum of texts of it, which does not compile.
    deleted: z.boolean().describe('Always `true`.'),
  })
  .meta({
    id: 'DeletedCustomer',
    description: 'What is left of a customer that was deleted: events show it.',
  });
