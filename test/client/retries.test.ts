import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Payments, PaymentsError, ProblemError } from '#client/src/index.ts';
import { fileSha256 } from './faults/answers.ts';
import { calls, cases, type CallName, type Case, type Expectation } from './faults/cases.ts';
import { startFaultServer, type FaultServer, type SeenRequest } from './faults/server.ts';

/** What a call came to: what is counted of its result, or its error. */
interface Outcome {
  error: PaymentsError | null;
  items?: number;
  bytes?: number;
  sha256?: string;
}

type Result = Omit<Outcome, 'error'>;

/** As any program would write it. */
const actions: Record<CallName, (client: Payments) => Promise<Result>> = {
  create_charge: async (client) => {
    const charge = await client.charges.create(calls.newCharge);
    assert.equal(charge.object, 'charge');
    return {};
  },
  get_charge: async (client) => {
    assert.equal((await client.charges.get(calls.charge)).object, 'charge');
    return {};
  },
  list_charges: async (client) => {
    let items = 0;
    for await (const charge of client.charges.list()) items += charge.object === 'charge' ? 1 : 0;
    return { items };
  },
  update_customer: async (client) => {
    const options = { ifMatch: calls.ifMatch };
    const customer = await client.customers.update(calls.customer, calls.customerChange, options);
    assert.equal(customer.object, 'customer');
    return {};
  },
  delete_customer: async (client) => {
    await client.customers.delete(calls.customer);
    return {};
  },
  wait_operation: async (client) => {
    assert.equal((await client.operations.wait(calls.operation)).status, 'succeeded');
    return {};
  },
  download_export: async (client) => {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of await client.exports.download(calls.operation)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest('hex') };
  },
};

describe('A client against a service that fails', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.stop());

  const perform = ({ call, options }: Case): Promise<Outcome> => {
    const client = new Payments({
      baseUrl: server.url,
      clientId: 'cl_1',
      clientSecret: 'secret',
      backoff: { baseMs: 10, capMs: 40 },
      ...(options?.max_retries !== undefined && { maxRetries: options.max_retries }),
      timeout: options?.timeout_ms ?? 5_000,
    });
    return actions[call](client).then(
      (result) => ({ ...result, error: null }),
      (error: unknown) => {
        if (!(error instanceof PaymentsError)) throw error;
        return { error };
      },
    );
  };

  for (const each of cases) {
    it(each.promise, async () => {
      server.begin(each.name);
      const outcome = await perform(each);
      const { requests, tokens } = server.seen();
      requireOutcome(outcome, each.expect);
      assert.equal(requests.length, each.expect.requests, 'requests');
      requireKey(requests, each.expect.key);
      requireWaits(requests, each.expect.waits_ms ?? []);
      if (each.expect.tokens !== undefined) assert.equal(tokens, each.expect.tokens, 'tokens');
      if (each.expect.last_path !== undefined) assert.equal(requests.at(-1)?.path, each.expect.last_path);
      for (const [name, value] of Object.entries(each.expect.last_query ?? {}))
        assert.equal(requests.at(-1)?.query[name], value);
      for (const [name, value] of Object.entries(each.expect.last_headers ?? {}))
        assert.equal(requests.at(-1)?.headers[name], value);
    });
  }
});

function requireOutcome(outcome: Outcome, expect: Expectation): void {
  const { error } = outcome;
  assert.equal(error?.name, expect.error, error?.message);
  if (expect.items !== undefined) assert.equal(outcome.items, expect.items);
  if (expect.bytes !== undefined)
    assert.deepEqual([outcome.bytes, outcome.sha256], [expect.bytes, fileSha256]);
  if (!(error instanceof ProblemError)) return;
  const { status, code, declineCode, advice, charge, param } = error;
  const wanted = { status: expect.status, code: expect.code };
  assert.deepEqual({ status, code }, wanted);
  const details = [declineCode, advice, charge, param].map((value) => value ?? undefined);
  assert.deepEqual(details, [expect.decline_code, expect.advice, expect.charge, expect.param]);
  assert.ok(error.message.includes(expect.says ?? ''), error.message);
}

function requireKey(requests: SeenRequest[], kind: Expectation['key']): void {
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  const bodies = new Set(requests.map(({ body }) => body));
  if (kind === 'none') return assert.ok(keys.size === 0 || (keys.size === 1 && keys.has(undefined)));
  assert.deepEqual([keys.size, keys.has(undefined), bodies.size], [1, false, 1]);
}

function requireWaits(requests: SeenRequest[], waits: readonly number[]): void {
  for (const [index, least] of waits.entries()) {
    const waited = requests[index + 1]!.at_ms - requests[index]!.at_ms;
    assert.ok(waited >= least, `waited ${waited} ms, not ${least}`);
  }
}
