import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { may } from '../session/scopes.ts';

/** What an account without a charge is shown: the two calls that make its first one. */

export interface FirstSteps {
  /** A client of the account; `null`: the person may not see clients, or there is none. */
  clientId: string | null;
}

/** Returns the first steps of an account that has never made a charge; `null` if it has made one. */
export async function findFirstCharge({ api, session }: Visit): Promise<FirstSteps | null> {
  const { data: charges } = await api.charges.list({ limit: 1 }).page();
  if (charges.length > 0) return null;
  if (!may(session, 'access:read')) return { clientId: null };
  const { data: clients } = await api.clients.list({ limit: 100 }).page();
  return { clientId: clients.find(({ status }) => status === 'active')?.id ?? null };
}

/** The secret is never shown: nobody but its owner has it. */
export function FirstCharge({ steps, visit }: { steps: FirstSteps; visit: Visit }): JSX.Element {
  const { apiUrl, docs } = visit.links;
  const client = steps.clientId ?? 'YOUR_CLIENT_ID';
  const commands = [
    `TOKEN=$(curl -s -u '${client}:YOUR_CLIENT_SECRET' ${apiUrl}/oauth2/token \\`,
    `  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -X POST ${apiUrl}/v1/charges -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Idempotency-Key: first-charge" -H 'Content-Type: application/json' \\`,
    `  -d '{"amount": 1999, "currency": "EUR", "payment_method": "tok_visa"}'`,
  ];
  return (
    <>
      <h2>Your first charge</h2>
      <p>
        This account has made no charge yet. These commands make one. Put the secret of your client in the
        place of <code>YOUR_CLIENT_SECRET</code>.
      </p>
      <pre>
        <code>{commands.join('\n')}</code>
      </pre>
      <p>
        <a href={docs}>The quickstart</a> explains each step. The charge appears here within about 10 seconds.
      </p>
    </>
  );
}
