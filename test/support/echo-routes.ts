import { z } from 'zod';
import { pageParameters } from '#api/http/pagination.ts';
import type { Route } from '#api/http/route.ts';

/** Routes that answer with what they were given, to see what the API makes of a request. */

const id = z.strictObject({ id: z.string().regex(/^th_\d+$/) });

const thing = z.strictObject({
  amount: z.int().min(1),
  currency: z.string().refine((code) => code === 'EUR', {
    message: 'must be a currency',
    params: { code: 'unknown_currency' },
  }),
  kind: z.enum(['big', 'small']).optional(),
  label: z.string().max(5).optional(),
  tags: z.array(z.string()).max(2).optional(),
  nested: z.strictObject({ on: z.boolean() }).optional(),
  metadata: z.record(z.string().max(4), z.string()).optional(),
});

const responses = { 200: { description: 'What was given' } };

export function echoRoutes(): Route[] {
  const list: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/things',
    access: 'events:read',
    summary: 'List',
    query: z.strictObject({ ...pageParameters, kind: z.string().optional() }),
    responses,
    handle: ({ query }) => Promise.resolve({ status: 200, body: { query } }),
  };
  const create: Route<'account'> = {
    caller: 'account',
    method: 'POST',
    path: '/v1/things',
    access: 'events:write',
    summary: 'Create',
    idempotencyKey: 'required',
    body: thing,
    responses,
    handle: ({ body, idempotencyKey }) =>
      Promise.resolve({
        status: 201,
        headers: { Location: '/v1/things/th_1' },
        body: { object: 'thing', body, key: idempotencyKey },
      }),
  };
  const read: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/things/{id}',
    access: 'any-token',
    summary: 'Read',
    params: id,
    responses,
    handle: ({ params, account, apiVersion }) =>
      Promise.resolve({ status: 200, body: { params, account: account.id, api_version: apiVersion } }),
  };
  const poke: Route<'account'> = {
    caller: 'account',
    method: 'POST',
    path: '/v1/things/{id}:poke',
    access: 'events:write',
    summary: 'Poke',
    idempotencyKey: 'optional',
    params: id,
    responses,
    handle: ({ rawJson, idempotencyKey }) =>
      Promise.resolve({ status: 200, body: { body: rawJson, key: idempotencyKey } }),
  };
  const remove: Route<'account'> = {
    caller: 'account',
    method: 'DELETE',
    path: '/v1/things/{id}',
    access: 'events:write',
    summary: 'Delete',
    params: id,
    responses: { 204: { description: 'Gone' } },
    handle: () => Promise.resolve({ status: 204 }),
  };
  const patch: Route<'account'> = {
    caller: 'account',
    method: 'PATCH',
    path: '/v1/things/{id}',
    access: 'events:write',
    summary: 'Change',
    params: id,
    body: z.strictObject({ label: z.string().nullable() }),
    responses,
    handle: ({ body }) => Promise.resolve({ status: 200, body: { body } }),
  };
  const fail: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/failures',
    access: 'any-token',
    summary: 'Fail',
    responses,
    handle: () => Promise.reject(new Error('boom of 4242424242424242')),
  };
  const charge: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/paid-things',
    access: 'any-token',
    summary: 'A page of charges',
    responses,
    handle: () =>
      Promise.resolve({
        status: 200,
        body: { data: [{ object: 'charge', status: 'succeeded', failure: null }], has_more: false },
      }),
  };
  const stored: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/stored-things',
    access: 'any-token',
    summary: 'Bytes as they were stored',
    responses,
    handle: () =>
      Promise.resolve({
        status: 402,
        headers: { 'api-version': '2026-05-01', 'content-type': 'application/problem+json; charset=utf-8' },
        body: Buffer.from('{ "b":1,"a":2 }'),
      }),
  };
  const linked: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/linked-things',
    access: 'any-token',
    summary: 'A page with a next one',
    responses,
    handle: () =>
      Promise.resolve({
        status: 200,
        headers: { Link: '</v1/linked-things?x=1>; rel="next"' },
        body: { data: [] },
      }),
  };
  return [list, create, read, poke, remove, patch, fail, charge, stored, linked];
}
