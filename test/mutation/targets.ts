/**
 * The files whose mutants are tried, and the tests that each one must be noticed by: those that state its promises, so
 * that a rule is held by the test of the rule, and not by chance in a test of something else.
 *
 * Left out are files of types, and `domain/problem-catalogue.ts` and `domain/cards/decline-advice.ts`: words for people.
 */
export const targets: Readonly<Record<string, readonly string[]>> = {
  'activities/payments/charge-steps.ts': [
    'test/activities/captures.test.ts',
    'test/activities/charge-steps.test.ts',
    'test/activities/prepared-charges.test.ts',
  ],
  'activities/payments/charges.ts': [
    'test/activities/captures.test.ts',
    'test/activities/charge-steps.test.ts',
  ],
  'activities/payments/disabled-accounts.ts': ['test/activities/captures.test.ts'],
  'activities/payments/refunds.ts': ['test/activities/refund-steps.test.ts'],
  'activities/payments/settle.ts': [
    'test/activities/captures.test.ts',
    'test/activities/charge-steps.test.ts',
    'test/activities/refund-steps.test.ts',
  ],
  'activities/payments/timeline.ts': [
    'test/activities/captures.test.ts',
    'test/activities/charge-steps.test.ts',
    'test/activities/prepared-charges.test.ts',
    'test/activities/refund-steps.test.ts',
  ],
  'domain/answers.ts': ['test/domain/answers.test.ts'],
  'domain/audit.ts': ['test/domain/audit.test.ts'],
  'domain/cards/card-numbers.ts': [
    'test/domain/card-numbers.test.ts',
    'test/domain/card-numbers-anywhere.test.ts',
  ],
  'domain/cards/card-signs.ts': ['test/domain/card-signs.test.ts'],
  'domain/cards/payment-methods.ts': ['test/domain/customers.test.ts'],
  'domain/operations/charge-batches.ts': [
    'test/domain/charge-batch-lines.test.ts',
    'test/domain/charges/charge-answers.test.ts',
  ],
  'domain/charge-failures.ts': ['test/domain/charges/decline-advice.test.ts'],
  'domain/charge-moves.ts': [
    'test/domain/charges/charge-moves.test.ts',
    'test/domain/charges/charges.test.ts',
    'test/domain/charges/charges-model.test.ts',
    'test/domain/charges/charge-life.test.ts',
  ],
  'domain/charges.ts': [
    'test/domain/charges/charge-answers.test.ts',
    'test/domain/charges/charge-moves.test.ts',
  ],
  'domain/customers.ts': ['test/domain/customers.test.ts'],
  'domain/events.ts': ['test/domain/events.test.ts'],
  'domain/figures/deliveries.ts': ['test/domain/figures.test.ts'],
  'domain/figures/service.ts': ['test/domain/figures.test.ts'],
  'domain/figures/steps.ts': ['test/domain/figures.test.ts'],
  'domain/idempotency-keys.ts': ['test/domain/idempotency-keys.test.ts'],
  'domain/ids.ts': ['test/domain/ids.test.ts'],
  'domain/money.ts': ['test/domain/money.test.ts'],
  'domain/operations.ts': ['test/domain/operations.test.ts'],
  'domain/problems.ts': ['test/domain/answers.test.ts'],
  'domain/processors.ts': ['test/domain/processors.test.ts'],
  'domain/reconciliation.ts': ['test/domain/reconciliation.test.ts'],
  'domain/refunds.ts': ['test/domain/refund-answers.test.ts', 'test/domain/refunds.test.ts'],
  'domain/roles.ts': ['test/domain/roles.test.ts'],
  'domain/scopes.ts': ['test/domain/roles.test.ts'],
  'domain/timeline.ts': ['test/domain/events.test.ts'],
  'domain/versions/version-2026-11-01.ts': ['test/domain/version-changes.test.ts'],
  'domain/versions/versions.ts': ['test/domain/version-changes.test.ts'],
  'domain/webhook-deliveries.ts': ['test/domain/webhook-retries.test.ts', 'test/domain/webhooks.test.ts'],
  'domain/webhook-endpoints.ts': ['test/domain/webhook-retries.test.ts', 'test/domain/webhooks.test.ts'],
};
