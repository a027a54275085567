import type { ChargeResource } from '../charges.ts';
import {
  nameInSchemas,
  operationKinds,
  operationTypes,
  type OperationType,
} from '../operations/operation-kinds.ts';
import type { OperationResource } from '../operations.ts';
import type { RefundResource } from '../refunds.ts';
import type { JsonSchema, Resource, VersionChange } from './version-change.ts';

/**
 * 2026-11-01: a charge's `status` `paid` is called `succeeded`, and the flat `failure_code` and
 * `failure_message` became the object `failure`, which has room for the decline code. A charge that waits for its buyer
 * has the status `requires_action`, which was `pending`, and a `next_action`. It has a `reference`, an `amount_returned`, and what the
 * processor told of the card, too, and names the batch that it was submitted in. A decline has
 * `advice`, in the charge and in the problem. An export tells its `request`, with statuses of charges. The audit names
 * programs, and operators without an id, as actors. A refund says who made it, and what the processor told of it.
 */
export const chargesReadPaid: VersionChange = {
  version: '2026-11-01',
  downgrade(resource) {
    if (isCharge(resource)) return flatten(resource);
    if (isRefund(resource)) return withoutReceipt(resource);
    if (isAuditEntry(resource)) return withoutPrograms(resource);
    return isOperation(resource) ? toOlderOperation(resource) : resource;
  },
  downgradeProblem: ({ advice: _advice, ...rest }) => rest,
  readStatus: spell,
  upgradeQuery(route, parameter, value) {
    return route === '/v1/charges' && parameter === 'status' ? (filters[value] ?? value) : value;
  },
  upgradeBody(route, body) {
    return route === '/v1/exports' && isObject(body) && body['resource'] === 'charges'
      ? { ...body, filter: upgradeFilter(body['filter']) }
      : body;
  },
  downgradeSchema(name, schema) {
    if (name === 'ChargeStatus') return spellSchema(schema);
    if (name === 'Problem') return withoutAdvice(schema);
    if (name === 'ActorKind') return withoutClientKind(schema);
    if (name === 'OperationType') return { ...schema, enum: knownTypes };
    if (name === 'Refund') return withoutReceiptSchema(schema);
    if (name === 'Operation') return withoutNewerKinds(schema);
    const type = operationTypes.find((one) => name === nameOperation(one));
    if (type) return downgradeOperation(type, schema);
    return name === 'Charge' ? flattenSchema(schema) : schema;
  },
};

/** In both directions: the newer names are no status of the older version. */
const filters: Record<string, string> = { paid: 'succeeded', succeeded: 'paid', requires_action: 'none' };

/** Rewrites the filter of an export of charges. */
function upgradeFilter(filter: unknown): unknown {
  if (!isObject(filter) || typeof filter['status'] !== 'string') return filter;
  const { status } = filter;
  return { ...filter, status: filters[status] ?? status };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCharge(resource: Resource): resource is ChargeResource {
  return resource.object === 'charge';
}

function isRefund(resource: Resource): resource is RefundResource {
  return resource.object === 'refund';
}

function withoutReceipt({
  source: _source,
  processor: _processor,
  bank_reference: _bankReference,
  ...rest
}: RefundResource): Resource {
  return rest;
}

function withoutReceiptSchema(schema: JsonSchema): JsonSchema {
  const {
    source: _source,
    processor: _processor,
    bank_reference: _bankReference,
    ...properties
  } = schema['properties'] as Record<string, JsonSchema>;
  const required = (schema['required'] as string[]).filter((name) => name in properties);
  return { ...schema, properties, required };
}

interface AuditEntryResource extends Resource {
  actor: { kind: string; id: string | null } | null;
}

function isAuditEntry(resource: Resource): resource is AuditEntryResource {
  return resource.object === 'audit_entry';
}

/** An actor of a kind that this version does not know reads as nobody. */
function withoutPrograms({ actor, ...rest }: AuditEntryResource): Resource {
  const isKnown = actor !== null && actor.kind !== 'client' && actor.id !== null;
  return Object.assign(rest, { actor: isKnown ? actor : null });
}

function withoutAdvice(schema: JsonSchema): JsonSchema {
  const { advice: _advice, ...properties } = schema['properties'] as Record<string, JsonSchema>;
  return { ...schema, properties };
}

function withoutClientKind(schema: JsonSchema): JsonSchema {
  const kinds = (schema['enum'] as string[]).filter((kind) => kind !== 'client');
  const description = String(schema['description']).replace(/ `client`:.*$/, '');
  return { ...schema, enum: kinds, description };
}

function isOperation(resource: Resource): resource is OperationResource {
  return resource.object === 'operation';
}

function toOlderOperation({ request: _request, ...rest }: OperationResource): Resource {
  return Object.assign(rest, { type: readOlderType(rest.type) });
}

/** An operation of a kind that this version does not know reads as one of a kind that it knows. */
function readOlderType(type: OperationType): string {
  return operationKinds[type].olderType ?? type;
}

const knownTypes = operationTypes.filter((type) => readOlderType(type) === type);

const nameOperation = (type: OperationType) => `${nameInSchemas(type)}Operation`;

function withoutNewerKinds(schema: JsonSchema): JsonSchema {
  const known = knownTypes.map((type) => `/${nameOperation(type)}`);
  const oneOf = (schema['oneOf'] as { $ref: string }[]).filter(({ $ref }) =>
    known.some((name) => $ref.endsWith(name)),
  );
  return { ...schema, oneOf };
}

function downgradeOperation(type: OperationType, schema: JsonSchema): JsonSchema {
  const { request: _request, ...properties } = schema['properties'] as Record<string, JsonSchema>;
  const older = { type: { ...properties['type'], const: readOlderType(type) } };
  return { ...schema, properties: Object.assign(properties, older) };
}

function flatten({
  charge_batch: _batch,
  charge_batch_row: _batchRow,
  failure,
  status,
  next_action: _next,
  reference: _reference,
  amount_returned: _returned,
  card: _card,
  checks: _checks,
  three_d_secure: _threeDSecure,
  authorization_code: _authorizationCode,
  processor: _processor,
  ...rest
}: ChargeResource): Resource {
  return Object.assign(rest, {
    status: spell(status),
    failure_code: failure && spellFailure(failure.code),
    failure_message: failure?.message ?? null,
  });
}

/** The newer names that this version has another one for. */
const olderNames: Record<string, string> = { succeeded: 'paid', requires_action: 'pending' };

function spell(status: string): string {
  return olderNames[status] ?? status;
}

/** A buyer who did not confirm in time reads as a decline, and so does a bank that did not pay. */
function spellFailure(code: string): string {
  return code === 'authentication_expired' || code === 'capture_failed' ? 'card_declined' : code;
}

function spellSchema({ enum: statuses, examples, description, ...rest }: JsonSchema): JsonSchema {
  const spelled = (statuses as string[]).filter((status) => status !== 'requires_action').map(spell);
  // Only the words about statuses that this version has.
  const described = (description as string)
    .replace(/`requires_action`:[^.]*\. /, '')
    .replaceAll('`succeeded`', '`paid`');
  return { ...rest, description: described, enum: spelled, examples: (examples as string[]).map(spell) };
}

function flattenSchema(schema: JsonSchema): JsonSchema {
  const {
    charge_batch: _batch,
    charge_batch_row: _batchRow,
    failure: _failure,
    next_action: _next,
    reference: _reference,
    amount_returned: _returned,
    card: _card,
    checks: _checks,
    three_d_secure: _threeDSecure,
    authorization_code: _authorizationCode,
    processor: _processor,
    ...properties
  } = schema['properties'] as Record<string, JsonSchema>;
  const flat = {
    failure_code: {
      anyOf: [
        { type: 'string', enum: ['card_declined', 'processor_timeout', 'not_sent', 'refused'] },
        { type: 'null' },
      ],
      description: 'Why the charge failed; `null` if it did not.',
    },
    failure_message: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The same for people; do not branch on it.',
    },
  };
  const required = (schema['required'] as string[]).filter((name) => name in properties);
  return {
    ...schema,
    properties: { ...properties, ...flat },
    required: [...required, ...Object.keys(flat)],
  };
}
