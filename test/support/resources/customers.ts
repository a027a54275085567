import assert from 'node:assert/strict';
import type { CustomerResource } from '#domain/customers.ts';
import type { ProblemResource } from '#domain/problems.ts';
import type { HttpAnswer, Merchant, SendOptions } from './merchant.ts';

/** What requests about customers answer: the customer, or a problem. */
export type CustomerBody = CustomerResource & Partial<Omit<ProblemResource, 'status'>>;

/** A customer as its merchant works with it. */
export interface CustomerRecord {
  id: string;
  path: string;
  created: CustomerBody;
  read(options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
  /** The tag of now. */
  etag(): Promise<string>;
  /** With the tag of now, unless the headers say otherwise. */
  put(body: object, options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
  patch(body: object, options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
  remove(options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
  attach(token?: string, options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
  detach(paymentMethod: string, options?: SendOptions): Promise<HttpAnswer<CustomerBody>>;
}

export async function createCustomer(merchant: Merchant, body: object = {}): Promise<CustomerRecord> {
  const answer = await merchant.send<CustomerBody>('POST', '/v1/customers', body);
  assert.equal(answer.status, 201, answer.text);
  const { id } = answer.body;
  const path = `/v1/customers/${id}`;
  const read = (options?: SendOptions) => merchant.get<CustomerBody>(path, options);
  const etag = async () => (await read()).headers.get('etag') ?? '';
  const write = async (method: string, change: object, options: SendOptions = {}) => {
    const known = Object.keys(options.headers ?? {}).length > 0 ? {} : { 'if-match': await etag() };
    return merchant.send<CustomerBody>(method, path, change, {
      ...options,
      headers: { ...known, ...options.headers },
    });
  };
  return {
    id,
    path,
    created: answer.body,
    read,
    etag,
    put: (change, options) => write('PUT', change, options),
    patch: (change, options) => write('PATCH', change, options),
    remove: (options) => merchant.send('DELETE', path, undefined, options),
    attach: (token = 'tok_visa', options) =>
      merchant.send('POST', `${path}:attach-payment-method`, { token }, options),
    detach: (payment_method, options) =>
      merchant.send('POST', `${path}:detach-payment-method`, { payment_method }, options),
  };
}
