import { chargeExecutions } from '#domain/charges.ts';
import { standardActionTtlMs, standardPendingTimeoutMs } from '#domain/charge-moves.ts';
import {
  insertAccount,
  listAccounts,
  updateAccount,
  type AccountChanges,
  type AccountRecord,
} from '#db/access/accounts.ts';
import { newId } from '#db/new-id.ts';
import type { Command, Input, Option, Report } from './command.ts';
import { changeOne, reportRows, requireOne, showCommand, statusCommands, type Noun } from './nouns.ts';
import { formatFacts, spellDuration } from './report.ts';
import * as values from './values.ts';

const settings: Record<string, Option> = {
  version: { value: 'DATE', help: 'its API version' },
  rate: { value: 'N', help: 'requests a second in the long run, or `default`' },
  burst: { value: 'N', help: 'requests at once, or `default`' },
  operations: { value: 'N', help: 'open operations at once, or `default`' },
  'charge-execution': {
    value: 'MODE',
    help: `who takes the first steps of a charge: ${chargeExecutions.join(' or ')}, or \`default\``,
  },
  'authorization-ttl': { value: 'DURATION', help: 'how long an authorization waits for its capture (7d)' },
  'action-ttl': { value: 'DURATION', help: 'how long a buyer has to confirm a charge (1h)' },
  'pending-timeout': {
    value: 'DURATION',
    help: 'how long a charge is tried that the processor never received (24h)',
  },
  'unknown-timeout': {
    value: 'DURATION',
    help: 'how long the processor is asked for an unknown outcome (10m)',
  },
  'refund-reversible': { value: 'DURATION', help: 'how long a refund can be reversed (1h)' },
  'webhook-schedule': {
    value: 'DURATIONS',
    help: 'the wait before each attempt of a delivery, such as "0s 5s 5m 1h", or `default`',
  },
  'webhook-disable-after': {
    value: 'DURATION',
    help: 'how long a webhook endpoint may fail before it is disabled (5d)',
  },
  'refund-settlement': { value: 'DURATION', help: 'the time until a refund settles (24h)' },
};

export const accounts: Noun<AccountRecord> = {
  name: 'account',
  find: async (db, id) => (await listAccounts(db, id))[0] ?? null,
  describe,
};

/** A changed account is noticed by each API process within 5 s. */
export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    operands: ['NAME'],
    summary: 'Create an account',
    options: settings,
    async run(input, context) {
      const [name = ''] = input.operands;
      const id = newId('account');
      const changes = changesIn(input);
      await insertAccount(context.db, { id, name });
      await updateAccount(context.db, id, changes);
      return describe(await requireOne(accounts, context, id));
    },
  },
  {
    name: 'account list',
    isRead: true,
    summary: 'List all accounts, oldest first',
    run: async (_input, { db }) =>
      reportRows(
        await listAccounts(db, null),
        { ACCOUNT: 'id', STATUS: 'status', VERSION: 'apiVersion', NAME: 'name' },
        { nothing: 'There are no accounts yet.', present },
      ),
  },
  showCommand(accounts, 'Show an account and its settings'),
  {
    name: 'account set',
    operands: ['ACCOUNT'],
    summary: 'Change the settings of an account',
    options: { name: { value: 'NAME', help: 'its name' }, ...settings },
    run(input, context) {
      const changes = changesIn(input);
      values.requireSome(changes);
      return changeOne(accounts, input, context, ({ id }) => updateAccount(context.db, id, changes));
    },
  },
  ...statusCommands(
    accounts,
    {
      disable: 'Refuse its requests, and stop its payments and webhooks',
      enable: 'Accept its requests again, and continue waiting work',
    },
    (db, { id }, status) => updateAccount(db, id, { status }),
  ),
];

function changesIn(input: Input): AccountChanges {
  return values.given<AccountChanges>({
    name: values.text(input, 'name'),
    apiVersion: values.version(input, 'version'),
    requestsPerSecond: values.countOrDefault(input, 'rate'),
    burst: values.countOrDefault(input, 'burst'),
    maxOpenOperations: values.countOrDefault(input, 'operations'),
    chargeExecution: values.choiceOrDefault(input, 'charge-execution', chargeExecutions),
    authorizationTtlMs: values.duration(input, 'authorization-ttl'),
    unknownTimeoutMs: values.duration(input, 'unknown-timeout'),
    actionTtlMs: values.duration(input, 'action-ttl'),
    pendingTimeoutMs: values.duration(input, 'pending-timeout'),
    refundReversibleMs: values.duration(input, 'refund-reversible'),
    refundSettlementMs: values.duration(input, 'refund-settlement'),
    webhookRetryScheduleMs: values.durationsOrDefault(input, 'webhook-schedule'),
    webhookDisableAfterMs: values.duration(input, 'webhook-disable-after'),
  });
}

function present(account: AccountRecord): Record<string, string | number | number[] | null> {
  return {
    id: account.id,
    name: account.name,
    status: account.status,
    api_version: account.apiVersion,
    rate: account.rateLimit.requestsPerSecond,
    burst: account.rateLimit.burst,
    max_open_operations: account.maxOpenOperations,
    charge_execution: account.chargeExecution,
    authorization_ttl_ms: account.durations.authorizationTtlMs,
    unknown_timeout_ms: account.durations.unknownTimeoutMs,
    action_ttl_ms: account.durations.actionTtlMs ?? null,
    pending_timeout_ms: account.durations.pendingTimeoutMs ?? null,
    refund_reversible_ms: account.refundDurations.reversibleMs,
    refund_settlement_ms: account.refundDurations.settlementMs,
    webhook_retry_schedule_ms: account.webhooks.retryScheduleMs,
    webhook_disable_after_ms: account.webhooks.disableAfterMs,
    created: account.createdAt.toISOString(),
  };
}

function describe(account: AccountRecord): Report {
  const { rateLimit, durations, refundDurations, webhooks } = account;
  const text = formatFacts({
    Account: account.id,
    Name: account.name,
    Status: account.status,
    Version: account.apiVersion,
    Rate: String(rateLimit.requestsPerSecond ?? 'default'),
    Burst: String(rateLimit.burst ?? 'default'),
    'Open operations': String(account.maxOpenOperations ?? 'default'),
    'Charge execution': account.chargeExecution ?? 'default',
    'Authorization TTL': spellDuration(durations.authorizationTtlMs),
    'Unknown timeout': spellDuration(durations.unknownTimeoutMs),
    'Action TTL': spellDuration(durations.actionTtlMs ?? standardActionTtlMs),
    'Pending timeout': spellDuration(durations.pendingTimeoutMs ?? standardPendingTimeoutMs),
    'Refund reversible': spellDuration(refundDurations.reversibleMs),
    'Refund settlement': spellDuration(refundDurations.settlementMs),
    'Webhook schedule': webhooks.retryScheduleMs?.map(spellDuration).join(' ') ?? 'default',
    'Webhooks disabled after': spellDuration(webhooks.disableAfterMs),
    Created: account.createdAt.toISOString(),
  });
  return { text, json: present(account) };
}
