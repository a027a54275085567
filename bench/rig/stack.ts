import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withProgress } from '#local/processes/progress.ts';
import { startStack, type Stack } from '#local/stack.ts';
import type { BenchmarkContext } from './benchmark.ts';

/** A stack that is removed with all it wrote when it is stopped. */
export type BenchStack = Pick<
  Stack,
  'apiUrl' | 'databaseUrl' | 'temporalAddress' | 'temporalNamespace' | 'env' | 'secrets' | 'pid' | 'stop'
>;

/**
 * The stack alone, under LOCAL_DIR, with other settings.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function startBenchStack(
  { signal, say }: BenchmarkContext,
  settings: NodeJS.ProcessEnv,
): Promise<BenchStack> {
  const parent = resolve(process.env['LOCAL_DIR'] || '.local');
  mkdirSync(parent, { recursive: true });
  const localDir = mkdtempSync(join(parent, 'bench-'));
  const remove = () => rmSync(localDir, { recursive: true, force: true });
  const env = { LOG_LEVEL: 'warn', ...process.env, ...settings };
  const start = () => startStack({ localDir, env, restart: false, log: say, signal });
  try {
    const stack = await withProgress(() => 'Starting the stack', say, start);
    return {
      apiUrl: stack.apiUrl,
      databaseUrl: stack.databaseUrl,
      temporalAddress: stack.temporalAddress,
      temporalNamespace: stack.temporalNamespace,
      env: stack.env,
      secrets: stack.secrets,
      pid: (name) => stack.pid(name),
      stop: () => stack.stop().finally(remove),
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** With every scope of the client. (Default: of the account `demo`) */
export async function takeToken(
  { apiUrl, secrets }: BenchStack,
  { clientId, clientSecret }: { clientId: string; clientSecret: string } = secrets.demo,
): Promise<string> {
  const answer = await fetch(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`no token: ${answer.status}`);
  return token;
}
