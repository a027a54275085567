import assert from 'node:assert/strict';
import { answerProblem, entityTag, renderReply } from '#domain/answers.ts';
import { catalogue } from '#domain/problem-catalogue.ts';
import { ProblemError } from '#domain/problems.ts';

const context = {
  publicUrl: 'https://pay.example',
  instance: '/v1/charges',
  traceId: 'trace_1',
  apiVersion: '2026-11-01',
} as const;
const json = 'application/json; charset=utf-8';
const resource = { object: 'customer', id: 'cus_1' };
const path = '/v1/customers/cus_1';

describe('A rendered answer', () => {
  it('to what was made names its place', () => {
    assert.deepEqual(renderReply({ status: 201, path, resource }, context), {
      status: 201,
      headers: { 'content-type': json, location: path },
      text: JSON.stringify(resource),
    });
  });

  it('to what is under way says when to ask again', () => {
    const { headers } = renderReply({ status: 202, path, resource }, context);
    assert.deepEqual(headers, { 'content-type': json, location: path, 'retry-after': '1' });
  });

  it('that shows a resource names it, with its tag', () => {
    const record = { id: 'cus_1', version: 7 };
    const { headers } = renderReply({ status: 200, path, resource, record }, context);
    const etag = '"cus_1.7.2026-11-01"';
    assert.deepEqual(headers, { 'content-type': json, 'content-location': path, etag });
    assert.equal(entityTag(record, '2026-05-01'), '"cus_1.7.2026-05-01"');
  });

  it('reads as the caller’s version has it', () => {
    const charge = { object: 'charge', status: 'succeeded', failure: null };
    const { text } = renderReply(
      { status: 201, path, resource: charge },
      { ...context, apiVersion: '2026-05-01' },
    );
    assert.equal((JSON.parse(text) as { status: string }).status, 'paid');
  });
});

describe('A rendered problem', () => {
  const { status, title, advice } = catalogue.card_declined;
  const expected = {
    type: 'https://pay.example/problems/card_declined',
    code: 'card_declined',
    title,
    status,
    detail: advice,
    instance: '/v1/charges',
    trace_id: 'trace_1',
  };

  it('gives the catalogue’s advice, and the request', () => {
    const answer = answerProblem('card_declined', context);
    assert.equal(answer.status, 402);
    assert.deepEqual(answer.headers, { 'content-type': 'application/problem+json; charset=utf-8' });
    assert.deepEqual(JSON.parse(answer.text), expected);
  });

  it('says what is known of its own case', () => {
    const extras = { charge: 'ch_1', decline_code: 'lost_card' };
    const { text } = renderReply({ problem: 'card_declined', detail: 'Lost', extras }, context);
    assert.deepEqual(JSON.parse(text), { ...expected, detail: 'Lost', ...extras });
  });

  it('as an error carries code, detail, extras and headers', () => {
    const cause = new Error('why');
    const extras = { charge: 'ch_1' };
    const headers = { 'retry-after': '1' };
    const error = new ProblemError('card_declined', { detail: 'Lost', extras, headers, cause });
    const { name, code, message, detail } = error;
    assert.deepEqual([name, code, message, detail], ['ProblemError', 'card_declined', 'Lost', 'Lost']);
    assert.deepEqual([error.extras, error.headers, error.cause], [extras, headers, cause]);
  });

  it('as an error without detail has the title', () => {
    const error = new ProblemError('card_declined');
    assert.deepEqual([error.message, error.detail], [title, undefined]);
    assert.deepEqual([error.extras, error.headers, error.cause], [{}, {}, undefined]);
  });
});
