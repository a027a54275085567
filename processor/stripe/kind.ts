import type { CheckedAccount, ProcessorKind, ProcessorSettings } from '../port.ts';
import { createStripeProcessor, openStripeTransport, stripeCapabilities } from './adapter.ts';
import { createStripeClient, within } from './client.ts';
import { explainKey, readKey } from './keys.ts';
import { createStripeNotificationParser } from './notifications.ts';
import * as objects from './objects.ts';

const checkMs = 6_000;

async function checkKey(settings: ProcessorSettings): Promise<CheckedAccount> {
  const { mode } = readKey(settings.key);
  const transport = openStripeTransport(settings);
  try {
    const stripe = createStripeClient(transport, mode === 'live');
    const question = { path: '/v1/account', schema: objects.account };
    const { id, settings: texts } = await stripe.ask(question, within(checkMs, undefined));
    const prefix = texts?.card_payments?.statement_descriptor_prefix;
    return {
      externalAccount: id,
      mode,
      statementPrefix: prefix || (texts?.payments?.statement_descriptor ?? null),
    };
  } catch (error) {
    throw explainKey(error);
  } finally {
    await transport.close();
  }
}

/** Stripe, as the registry knows it. */
export const stripeKind: ProcessorKind = {
  kind: 'stripe',
  capabilities: stripeCapabilities,
  open: (settings) => createStripeProcessor(settings),
  createParser: (secrets, { key }, now) =>
    createStripeNotificationParser(secrets, { livemode: readKey(key).mode === 'live' }, now),
  readKey,
  checkKey,
};
