import { readdirSync } from 'node:fs';

/** The slowest files, the slowest first. Lanes begin with them, so that none is left alone with one at the end. */
const slowest = [
  'test/flows/crashes/crash-in-api.test.ts',
  'test/flows/crashes/begin.test.ts',
  'test/local/launcher.test.ts',
  'test/conformance/mutants.test.ts',
  'test/console/pages-in-browser.test.ts',
  'test/flows/processors.test.ts',
  'test/flows/webhooks.test.ts',
  'test/flows/crashes/crash.test.ts',
  'test/conformance/stripe.test.ts',
  'test/docs/quickstarts.test.ts',
  'test/flows/deployments/tls.test.ts',
  'test/flows/charge-batches.test.ts',
  'test/api/operations/charge-batches.test.ts',
  'test/flows/exports.test.ts',
  'test/flows/deployments/releases.test.ts',
  'test/flows/deployments/rolling-restart.test.ts',
  'test/flows/crashes/outage.test.ts',
  'test/flows/charge-execution.test.ts',
  'test/flows/deployments/execution-switch.test.ts',
  'test/flows/crashes/key-lifetime.test.ts',
  'test/flows/crashes/unknown-outcomes.test.ts',
  'test/flows/reconciliation.test.ts',
  'test/flows/disabled-accounts.test.ts',
  'test/flows/crashes/refunds-crash.test.ts',
  'test/local/postgres.test.ts',
  'test/workflows/webhook-endpoint-runs.test.ts',
  'test/flows/crashes/webhooks-crash.test.ts',
  'test/api/payments/refunds-reversal.test.ts',
  'test/api/oauth/oauth-processes.test.ts',
  'test/api/documents/documents.test.ts',
  'test/flows/crashes/crash-load.test.ts',
  'test/flows/crashes/unsent-charges.test.ts',
  'test/flows/crashes/restored-past.test.ts',
  'test/flows/crashes/promoted-standby.test.ts',
  'test/flows/crashes/restored-database.test.ts',
  'test/workflows/webhook-endpoints.test.ts',
  'test/workflows/replay.test.ts',
  'test/webhooks/send.test.ts',
];

/**
 * What a merchant sees of what moves money or takes time. A whole run has these files on a stack with two APIs behind one
 * address and two workers, which must look like one of each. None of them stops a process of its stack.
 */
export const filesInPairs: readonly string[] = [
  'test/api/payments/charges.test.ts',
  'test/api/payments/refunds.test.ts',
  'test/api/payments/payment-methods.test.ts',
  'test/api/payments/customers.test.ts',
  'test/api/operations/exports.test.ts',
  'test/api/webhooks/webhook-deliveries.test.ts',
  'test/flows/idempotency.test.ts',
];

/** `npm test -- --quick` leaves out what kills a process, starts many, or waits for long. A path's beginning each. */
const slow = [
  'test/activities/',
  'test/api/documents/documents',
  'test/api/http/health',
  'test/api/http/hostile-texts',
  'test/api/http/server',
  'test/api/http/service',
  'test/api/limits/',
  'test/api/oauth/oauth-processes',
  'test/api/oauth/outside-issuer',
  'test/api/operations/',
  'test/api/payments/processor-notifications',
  'test/api/payments/refunds',
  'test/api/webhooks/webhook-replays',
  'test/blobs/',
  'test/chaos/',
  'test/client/package',
  'test/client/cli/',
  'test/conformance/mutants',
  'test/conformance/stripe',
  'test/console/developer-journey',
  'test/console/live',
  'test/console/pages-in-browser',
  'test/console/support-journey',
  'test/db/key-retention',
  'test/db/schema-locks',
  'test/docs/quickstarts',
  'test/docs/webhooks',
  'test/flows/',
  'test/local/',
  'test/processor/sandbox',
  'test/sandbox/',
  'test/simulation/',
  'test/webhooks/dispatcher',
  'test/webhooks/send',
  'test/workflows/',
];

/** Returns every test file, in the order in which lanes take them. */
export function listTestFiles(): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
  const first = slowest.filter((file) => files.includes(file));
  return [...first, ...files.filter((file) => !first.includes(file))];
}

/** Returns the files of `npm test -- --quick`. */
export function listQuickFiles(): string[] {
  return listTestFiles().filter((file) => !slow.some((path) => file.startsWith(path)));
}
