import { z } from 'zod';
import { type SubmittedRow, maxBatchRows } from '#domain/operations/charge-batches.ts';
import { presentProblem, type ProblemCode, type ValidationFault } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { ApiRequest, Route } from '../http/route.ts';
import { checkBody } from '../http/validation.ts';
import { findCardNumbers } from '../json/card-numbers.ts';
import { createPauses } from '../json/pauses.ts';
import { newBatchedCharge } from '../payments/charge-schemas.ts';
import { kindRoutes } from './submissions.ts';

/** Charge batches over the wire. */

/** The part of the body that is validated as a whole. Each charge is validated on its own. */
const batchFrame = z.strictObject({ charges: z.array(z.unknown()).min(1).max(maxBatchRows) });

const newChargeBatch = z
  .strictObject({
    charges: z
      .array(newBatchedCharge)
      .min(1)
      .max(maxBatchRows)
      .describe(
        'Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result.',
      )
      .meta({ example: [{ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' }] }),
  })
  .meta({ id: 'NewChargeBatch' });

/** Rows for one token of the account's rate limit; a single charge costs a whole token. */
const rowsPerToken = 10;

/** Bytes of a body. */
const bodyLimit = 8 * 1024 * 1024;

const description = `
Submits up to 10,000 charges. Each succeeds or fails on its own. Poll the operation. Its result is a file of
\`application/x-ndjson\` with one line for each row, in the order of the request:

\`\`\`json
{"row":0,"status":201,"charge":{"id":"ch_…","status":"succeeded"},"error":null}
\`\`\`

- \`row\` counts from 0, as in the pointer \`/charges/0\`.
- \`status\` is the status that \`POST /v1/charges\` would have answered: 201, 202, 402 for a declined card, 422 for an invalid row.
- \`charge\` is the charge when the batch ends, in the API version of the submission; \`null\` if there is none.
- \`error\` is the problem document, if the status is 400 or more. Its \`charge\` names the charge.

**A row with a charge is never safe to submit again before its charge reads \`failed\` or \`cancelled\`. A row without one was
not charged, and never will be.** A row has no key that another request could use. Its charge names its \`charge_batch\` and
\`charge_batch_row\`, and \`GET /v1/charges?charge_batch=op_…\` lists the charges of a batch.

A row that ends \`pending\` or \`requires_capture\` goes on as any such charge. One whose outcome the processor does not tell in
time reads 502, 503 or 504 with its \`pending\` charge, and is settled later: read the charge.

A batch that is cancelled or fails has a result too, linked by \`result\` of its \`error\`. Rows that never began have no charge,
and read 409 \`operation_cancelled\`, or 500 with the code of the batch. Rows that were under way have one: read it to learn how
they end. The result of a failed batch is written within minutes; until then it answers 409 \`operation_not_done\`.
`.trim();

export function chargeBatchRoutes(deps: ApiDeps): Route[] {
  return kindRoutes(deps, {
    type: 'charge_batch',
    access: ['charge-batches:write', 'charges:write'],
    summary: 'Submit a batch of charges',
    description,
    body: batchFrame,
    documentedBody: newChargeBatch,
    bodyLimit,
    accepted: 'The operation to poll',
    summarize: ({ body }) => `${body.charges.length} charges`,
    prepare: (request, accept) =>
      accept(async () => {
        await request.payFor(Math.ceil(request.body.charges.length / rowsPerToken));
        return { rows: await readRows(deps, request) };
      }),
  });
}

type BatchRequest = ApiRequest<unknown, unknown, z.output<typeof batchFrame>>;

async function readRows(deps: ApiDeps, request: BatchRequest): Promise<SubmittedRow[]> {
  const rows: SubmittedRow[] = [];
  const pause = createPauses();
  for (const body of request.body.charges) {
    rows.push(readRow(deps, request, body));
    await pause();
  }
  return rows;
}

function readRow(
  { config }: ApiDeps,
  { path: instance, traceId }: BatchRequest,
  body: unknown,
): SubmittedRow {
  const refuse = (code: ProblemCode, faults: readonly ValidationFault[]) => {
    const errors = faults.slice(0, maxRowFaults).map(toStorable);
    const context = { publicUrl: config.publicUrl, instance, traceId };
    return { error: presentProblem(code, context, undefined, { errors }) };
  };
  // Nothing of a row with a card is kept but the names of its members.
  const cards = findCardNumbers(body);
  if (cards.length > 0) return refuse('card_number_refused', cards);
  const checked = checkBody(newBatchedCharge, body);
  return 'data' in checked ? { request: checked.data } : refuse('validation_failed', checked.errors);
}

/** Faults that are stored for a row: a hostile batch must not fill the store. */
const maxRowFaults = 5;

/** Replaces NUL and half characters in the names that the caller sent: Postgres stores neither. */
function toStorable({ pointer, ...fault }: ValidationFault): ValidationFault {
  return { pointer: pointer.replace(/\0|\p{Surrogate}/gu, '\ufffd'), ...fault };
}
