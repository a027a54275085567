import { workflowId } from '#temporal/client/ids.ts';
import type { Stack } from './stack.ts';

/** The text of `npm start -- --help`. */
export const usage = `Usage: npm start [-- --help]

Starts everything in the foreground: PostgreSQL, Temporal, the sandbox processor, the worker, the API and the console.
Ctrl-C stops it. Data, logs and secrets stay in LOCAL_DIR.

Settings are environment variables (docs/settings.md lists them all):
  PORT               the API's port (3000; 0 is any free one)
  CONSOLE_PORT       the console's port (3001, or another one if that is taken)
  PROCESSOR          stripe: the demo accounts charge by Stripe's dialect of the sandbox (sandbox)
  DATABASE_URL       a PostgreSQL to use instead of the embedded one
  TEMPORAL_ADDRESS   a Temporal service to use instead of a local one, as HOST:PORT
  TEMPORAL_CLI       the temporal command line tool to use for the local one
  LOCAL_DIR          where data, logs and secrets are kept (.local)

Other commands: npm test, npm run bench, npm run admin, npm run migrate, npm run record-histories
`;

/** The Idempotency-Key of the charge that the greeting shows how to make. */
const firstKey = 'first-charge';

/** Returns where the Temporal UI shows the workflow of that charge, a line of its own; empty without a UI of ours. */
function firstWorkflow(stack: Stack): string {
  if (stack.temporalUi === null) return '';
  const id = workflowId('charge', stack.secrets.demo.account, firstKey);
  return `
See its workflow in the Temporal UI, after that:

${stack.temporalUi}/workflows/${encodeURIComponent(id)}
`;
}

/** Returns a command that takes a token and makes a charge. Run again, it prints the same bytes. */
export function firstCharge(stack: Stack): string {
  const { clientId, clientSecret } = stack.secrets.demo;
  const insecure = stack.apiUrl.startsWith('https:') ? ' -k' : '';
  return [
    `TOKEN=$(curl -sS${insecure} -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${stack.apiUrl}/oauth2/token`,
    String.raw` | sed 's/.*"access_token":"\([^"]*\)".*/\1/') && `,
    `curl -sS${insecure} -w '\\n%{http_code}\\n' ${stack.apiUrl}/v1/charges -H "Authorization: Bearer $TOKEN"`,
    ` -H 'Idempotency-Key: ${firstKey}' -H 'Content-Type: application/json'`,
    ` -d '{"amount":1999,"currency":"EUR","payment_method":"tok_visa"}'`,
  ].join('');
}

/** Returns the settings of the clients, the command line and the quickstarts, to be pasted into a terminal. */
export function environmentLines(stack: Stack): string {
  const { demo, webhookSecret } = stack.secrets;
  return [
    `export PAYMENTS_URL=${stack.apiUrl}`,
    `export PAYMENTS_CLIENT_ID=${demo.clientId}`,
    `export PAYMENTS_CLIENT_SECRET=${demo.clientSecret}`,
    `export PAYMENTS_WEBHOOK_SECRET=${webhookSecret}`,
  ].join('\n');
}

/** Returns what there is to know of Stripe's dialect: nothing unless the demo accounts use it. */
function stripeLines(stack: Stack): string {
  if (!stack.usesStripe) return '';
  const { processor, key } = stack.secrets.stripe;
  return `
Processor      ${processor}: Stripe's dialect of the sandbox. No account anywhere is needed, and no money moves
Stripe's API   ${stack.processorUrl}/v1
Stripe's key   ${key}
`;
}

/**
 * Returns the text that is printed when the stack is up.
 *
 * @param code signs the reader in to the console, once.
 */
export function greeting(stack: Stack, code: string): string {
  const { demo } = stack.secrets;
  return `
API            ${stack.apiUrl}
Documents      ${stack.apiUrl}/docs
Console        ${stack.consoleUrl}
Temporal UI    ${stack.temporalUi ?? `that of ${stack.temporalAddress}`}
Metrics        ${stack.metricsUrls.api} and ${stack.metricsUrls.worker}
Logs           ${stack.localDir}/logs
${stripeLines(stack)}
Demo account   ${demo.account}
Client id      ${demo.clientId}
Client secret  ${demo.clientSecret}

For the quickstarts at ${stack.apiUrl}/docs, and for \`npx payments\`, paste these lines:

${environmentLines(stack)}

Make a charge:

${firstCharge(stack)}
${firstWorkflow(stack)}
See it in the console. This link signs you in, once, within 15 minutes:

${stack.consoleUrl}/sign-in?code=${code}
`;
}
