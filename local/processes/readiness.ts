import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { LauncherError } from './processes.ts';

/** Returns the status of a GET, or the fault. Accepts any name in the certificate, which is ours. */
function get(url: string): Promise<number | string> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, { timeout: 2_000, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once('timeout', () => call.destroy(new Error('no answer within 2 s')));
    call.once('error', (error) => resolve(error.message));
    call.end();
  });
}

/** Resolves once `url` answers 200. @throws {LauncherError} when it does not within `timeoutMs`. */
export async function untilAnswers(url: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await get(url);
    if (answer === 200) return;
    if (Date.now() > deadline)
      throw new LauncherError(`${url} is not ready after ${timeoutMs / 1000} s: ${answer}`);
    await sleep(50);
  }
}
