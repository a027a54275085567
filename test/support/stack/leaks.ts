import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { hasCardNumber } from '#domain/cards/card-numbers.ts';
import { historyToJson, readableText } from '../../workflows/histories.ts';
import type { Environment } from './environment.ts';

/**
 * What must stand in no log and in no history: looked for after a whole run, in all that it wrote.
 */

/** Secrets that only their owners know the look of; clients' secrets are hashed as soon as they are made. */
const remembered = new Set<string>();

export function rememberSecret(secret: string): void {
  remembered.add(secret);
}

/** Those with a look of their own. */
const looks: [what: string, look: RegExp][] = [
  ['a bearer token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/],
  ['a refresh token', /\brt_[\w-]{20,}/],
  ['a sign-in code', /\bsic_[\w-]{20,}/],
  ["a webhook's secret", /\bwhsec_[A-Za-z0-9+/]{24,}/],
  ['a credential', /\b(?:Bearer|Basic) [\w+/=.-]{20,}/],
];

/** Long enough to be one of ours; shorter ones are words. */
const candidates = /[\w+/-]{32,}=*/g;

/** What of it stands in a text; never the secret itself, since this is printed. */
export function leaksIn(text: string, secrets: ReadonlySet<string> = remembered): string[] {
  const found = looks.filter(([, look]) => look.test(text)).map(([what]) => what);
  if ([...text.matchAll(candidates)].some(([word]) => secrets.has(word)))
    found.push('a secret that was handed out');
  if (text.split('\n').some(hasCardNumber)) found.push('a card number');
  return found;
}

/** Reads every log of the stack and every history that it still has. @returns what was found, and where. */
export async function findLeaks(env: Environment): Promise<string[]> {
  const { secretsKey, processorSecret, demo } = env.stack.secrets;
  for (const secret of [secretsKey, processorSecret, demo.clientSecret]) rememberSecret(secret);
  return [...leaksInLogs(join(env.stack.localDir, 'logs')), ...(await leaksInHistories(env.temporal))];
}

export function leaksInLogs(folder: string): string[] {
  return readdirSync(folder).flatMap((file) =>
    leaksIn(readFileSync(join(folder, file), 'utf8')).map((what) => `${what} in the log ${file}`),
  );
}

/** Histories that are read at the same time. */
const readers = 12;

export async function leaksInHistories(temporal: Client): Promise<string[]> {
  const found: string[] = [];
  const runs = temporal.workflow.list({ pageSize: 500 })[Symbol.asyncIterator]();
  const read = async () => {
    for (let run = await runs.next(); !run.done; run = await runs.next()) {
      const text = await readHistory(temporal, run.value);
      found.push(...leaksIn(text).map((what) => `${what} in a history of ${run.value?.type}`));
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  return found;
}

async function readHistory(
  temporal: Client,
  { workflowId, runId, memo }: WorkflowExecutionInfo,
): Promise<string> {
  const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
  return `${JSON.stringify(memo)}\n${readableText(historyToJson(history))}`;
}
