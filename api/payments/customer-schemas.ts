import { z } from 'zod';
import type { CustomerProfile } from '#domain/customers.ts';
import { isId } from '#domain/ids.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { metadata, timestamp } from '../http/schemas.ts';

/** Customers and their payment methods over the wire (decisions, Customer). */

export const customerId = z
  .string()
  .refine((id) => isId('customer', id), 'is not a customer id')
  .meta({ id: 'CustomerId', example: 'cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' });

const paymentMethodId = z.string().max(100).meta({ example: 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' });

const name = z.string().min(1).max(200).meta({ example: 'Ada Lovelace' });

const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
  .meta({ example: 'ada@example.com' });

const description = z.string().min(1).max(500);

/** `null` means the same as a member that is left out. */
const profile = {
  name: name.nullish(),
  email: email.nullish(),
  description: description.nullish(),
  metadata: metadata.default({}),
};

export const newCustomer = z.strictObject(profile).transform(toProfile);

/** The body of a PUT, and the result of a PATCH: a member that is left out is reset. */
export const customerReplacement = z
  .strictObject({ ...profile, default_payment_method: paymentMethodId.nullish() })
  .transform(toProfile);

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
export const customerPatch = z.strictObject({
  name: profile.name,
  email: profile.email,
  description: profile.description,
  metadata: z.record(z.string().min(1).max(40), z.string().max(500).nullable()).nullish(),
  default_payment_method: paymentMethodId.nullish(),
});

export const attachment = z.strictObject({
  token: z
    .string()
    .regex(/^tok_[A-Za-z0-9_]{1,100}$/, 'must be a token `tok_…`')
    .meta({ example: 'tok_visa' }),
});

export const detachment = z.strictObject({ payment_method: paymentMethodId });

export const customerQuery = z.strictObject({ ...pageParameters, ...createdParameters });

const paymentMethodResource = z
  .strictObject({
    id: paymentMethodId,
    type: z.literal('card'),
    card: z.strictObject({
      brand: z.enum(['visa', 'mastercard', 'amex', 'discover']),
      last4: z
        .string()
        .regex(/^\d{4}$/)
        .meta({ example: '4242' }),
      exp_month: z.int().min(1).max(12).meta({ example: 12 }),
      exp_year: z.int().min(2000).meta({ example: 2030 }),
    }),
  })
  .meta({ id: 'PaymentMethod' });

export const customerResource = z
  .strictObject({
    id: customerId,
    object: z.literal('customer'),
    name: name.nullable(),
    email: email.nullable(),
    description: description.nullable(),
    metadata,
    default_payment_method: paymentMethodId.nullable(),
    payment_methods: z.array(paymentMethodResource).describe('Newest first.'),
    created: timestamp,
    updated: timestamp,
  })
  .meta({ id: 'Customer' });
