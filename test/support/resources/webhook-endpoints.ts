import assert from 'node:assert/strict';
import type { ProblemResource } from '#domain/problems.ts';
import type { WebhookDeliveryDetailResource } from '#domain/webhook-deliveries.ts';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import type { HttpAnswer, Merchant, SendOptions } from './merchant.ts';

/** What requests about webhook endpoints answer: the endpoint, or a problem. */
export type WebhookEndpointBody = WebhookEndpointResource & { secret?: string } & Partial<
    Omit<ProblemResource, 'status'>
  >;

export type WebhookDeliveryBody = WebhookDeliveryDetailResource & Partial<Omit<ProblemResource, 'status'>>;

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Nobody listens there: for tests of what is written, whether or not it arrives. */
export const deadUrl = 'http://127.0.0.1:9/webhooks';

let urls = 0;

/** Returns a URL of its own where nobody listens: few endpoints of an account may have the same one. */
export function nextDeadUrl(): string {
  urls += 1;
  return `${deadUrl}/${urls}`;
}

/** An endpoint as its merchant works with it. */
export interface WebhookEndpointRecord {
  id: string;
  path: string;
  created: WebhookEndpointBody;
  read(): Promise<HttpAnswer<WebhookEndpointBody>>;
  /** Whatever its tag is now, unless the headers say otherwise. */
  patch(body: object, options?: SendOptions): Promise<HttpAnswer<WebhookEndpointBody>>;
  remove(): Promise<HttpAnswer<WebhookEndpointBody>>;
  rotate(body?: object, options?: SendOptions): Promise<HttpAnswer<WebhookEndpointBody>>;
  test(options?: SendOptions): Promise<HttpAnswer<WebhookDeliveryBody>>;
  /** The page of its deliveries that the query asks for. */
  deliveries(query?: string): Promise<Page<WebhookDeliveryBody>>;
}

export async function createWebhookEndpoint(
  merchant: Merchant,
  body: object = {},
): Promise<WebhookEndpointRecord> {
  const answer = await merchant.send<WebhookEndpointBody>('POST', '/v1/webhook-endpoints', {
    url: nextDeadUrl(),
    events: ['*'],
    ...body,
  });
  assert.equal(answer.status, 201, answer.text);
  const path = `/v1/webhook-endpoints/${answer.body.id}`;
  return {
    id: answer.body.id,
    path,
    created: answer.body,
    read: () => merchant.get(path),
    patch: (change, options = {}) =>
      merchant.send('PATCH', path, change, { headers: { 'if-match': '*' }, ...options }),
    remove: () => merchant.send('DELETE', path),
    rotate: (overlap = {}, options) => merchant.send('POST', `${path}:rotate-secret`, overlap, options),
    test: (options) => merchant.send('POST', `${path}:test`, {}, options),
    async deliveries(query = '') {
      const page = await merchant.get<Page<WebhookDeliveryBody>>(`${path}/deliveries${query}`);
      assert.equal(page.status, 200, page.text);
      return page.body;
    },
  };
}
