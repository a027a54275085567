import { z } from 'zod';
import type { FaultRoute } from '../faults.ts';
import { expand } from './form.ts';
import {
  cancelIntent,
  cancelParams,
  captureIntent,
  captureParams,
  confirmIntent,
  confirmParams,
  createIntent,
  createParams,
  statementPrefix,
} from './intents.ts';
import { eventsParams, intentsParams, listOf, refundsParams, transactionsParams } from './lists.ts';
import { createMethod, createToken, methodParams, tokenParams } from './methods.ts';
import { present } from './present.ts';
import type { RecordKind } from './records.ts';
import { createRefund, refundParams } from './refunds.ts';
import { ok, type Handler, type StripeRequest } from './request.ts';

export interface StripeRoute {
  fault: FaultRoute | null;
  params: z.ZodType<object>;
  /** Takes the output of `params`. */
  handle: Handler<never>;
}

const nothingElse = z.strictObject({ expand });

function route<Schema extends z.ZodType<object>>(
  params: Schema,
  handle: Handler<z.output<Schema>>,
  fault: FaultRoute | null = null,
): StripeRoute {
  return { fault, params, handle };
}

function retrieve(kind: RecordKind, param: string): StripeRoute {
  return route(nothingElse, ({ draft, id }) => ok(present(draft, draft.find(kind, id, param))), 'stripe_get');
}

function list(kind: RecordKind, params: z.ZodType<object>, path: string): StripeRoute {
  const handle = listOf(kind, path) as Handler<object>;
  return route(params, handle, 'stripe_list');
}

function describeAccount({ draft }: StripeRequest<unknown>) {
  return ok({
    id: draft.account,
    object: 'account',
    settings: {
      card_payments: { statement_descriptor_prefix: statementPrefix },
      payments: { statement_descriptor: `${statementPrefix} PROCESSOR` },
    },
    charges_enabled: true,
    country: 'DE',
    default_currency: 'eur',
    details_submitted: true,
    email: null,
    payouts_enabled: true,
    type: 'standard',
  });
}

/** Every route, by its method and its path; `{id}` stands for any one name. */
const routes = new Map<string, StripeRoute>(
  Object.entries({
    'POST /v1/payment_methods': route(methodParams, createMethod),
    'POST /v1/payment_intents': route(createParams, createIntent, 'stripe_create'),
    'GET /v1/payment_intents': list('payment_intent', intentsParams, '/v1/payment_intents'),
    'GET /v1/payment_intents/{id}': retrieve('payment_intent', 'intent'),
    'POST /v1/payment_intents/{id}/confirm': route(confirmParams, confirmIntent, 'stripe_confirm'),
    'POST /v1/payment_intents/{id}/capture': route(captureParams, captureIntent, 'stripe_capture'),
    'POST /v1/payment_intents/{id}/cancel': route(cancelParams, cancelIntent, 'stripe_cancel'),
    'POST /v1/refunds': route(refundParams, createRefund, 'stripe_refund'),
    'GET /v1/refunds': list('refund', refundsParams, '/v1/refunds'),
    'GET /v1/refunds/{id}': retrieve('refund', 'refund'),
    'GET /v1/balance_transactions': list(
      'balance_transaction',
      transactionsParams,
      '/v1/balance_transactions',
    ),
    'GET /v1/events': list('event', eventsParams, '/v1/events'),
    'GET /v1/events/{id}': retrieve('event', 'id'),
    'POST /v1/tokens': route(tokenParams, createToken),
    'GET /v1/account': route(nothingElse, describeAccount),
  }),
);

/** Returns the route of a call, and the id in its path. */
export function findRoute(method: string, path: string): { route: StripeRoute; id: string } | undefined {
  const exact = routes.get(`${method} ${path}`);
  if (exact) return { route: exact, id: '' };
  const [, version = '', collection = '', id = '', ...more] = path.split('/');
  const found = routes.get(`${method} /${[version, collection, '{id}', ...more].join('/')}`);
  return found && id !== '' ? { route: found, id: decodeURIComponent(id) } : undefined;
}
