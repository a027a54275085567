import type { JSX } from 'preact';
import type { Context } from '#http/context.ts';
import { BarePage } from '../parts/layout.tsx';
import { choicePath, oidcPath, type OwnAddress } from './own-address.ts';
import type { Membership } from './token-endpoint.ts';
import { LinkLine, Text } from '../parts/values.tsx';
import { renderWhole, sendHtml } from '../serving/documents.tsx';

/** The pages of sign-in and sign-out. */

const send = (ctx: Context, status: number, title: string, content: JSX.Element) =>
  sendHtml(ctx, status, renderWhole(<BarePage title={title}>{content}</BarePage>));

/** The page of a sign-in link: the button alone uses the code up. */
export function sendLinkPage(ctx: Context, code: string): Promise<void> {
  return send(
    ctx,
    200,
    'Sign in',
    <form method="post" action="/sign-in">
      <input type="hidden" name="code" value={code} />
      <p>This link signs you in once. Look at the header line afterwards: it names you and your account.</p>
      <p class="buttons">
        <button type="submit">Sign in</button>
      </p>
    </form>,
  );
}

/** Says how to sign in. `provider` is the host of the OIDC provider; `null`: there is none. */
export function sendSignInPage(
  ctx: Context,
  status: 200 | 401,
  { hasEnded, provider, hasLinks }: { hasEnded: boolean; provider: string | null; hasLinks: boolean },
): Promise<void> {
  return send(
    ctx,
    status,
    'Sign in',
    <>
      {hasEnded ? <p>Your session has ended.</p> : null}
      {provider === null ? null : <LinkLine href={oidcPath}>Sign in with {provider}</LinkLine>}
      {hasLinks ? (
        <p>
          {provider === null ? 'Ask' : 'Or ask'} the operator of this service for a sign-in link. Open it in
          this browser, and you are back where you were.
        </p>
      ) : null}
    </>,
  );
}

/** Asks where to sign in. `person` is sealed, and goes along with the choice. */
export function sendAccountChoice(
  ctx: Context,
  { person, memberships }: { person: string; memberships: readonly Membership[] },
): Promise<void> {
  const accepted = memberships.filter(({ status }) => status === 'accepted');
  const invited = memberships.filter(({ status }) => status === 'invited');
  return send(
    ctx,
    200,
    'Choose an account',
    <form method="post" action={choicePath}>
      <input type="hidden" name="person" value={person} />
      {accepted.map((membership) => (
        <Choice key={membership.member} membership={membership} verb="Sign in" />
      ))}
      {invited.length === 0 ? null : (
        <>
          <h2>Invitations</h2>
          <p>
            Accept what you expect alone: the account then sees your name as a member, and what you do there.
            You stay a member of your other accounts, which do not learn of it.
          </p>
        </>
      )}
      {invited.map((membership) => (
        <Choice key={membership.member} membership={membership} verb="Accept and sign in" />
      ))}
    </form>,
  );
}

function Choice({ membership, verb }: { membership: Membership; verb: string }): JSX.Element {
  const { member, account, role } = membership;
  return (
    <p>
      {account === null ? 'This service' : <Text value={account.name} />}, as {role}:{' '}
      <button type="submit" name="member" value={member}>
        {verb}
      </button>
    </p>
  );
}

const failures = {
  400: 'The link or the page was used before or has expired, or you may not sign in here. Ask the operator of this service. If a link was used before and not by you, say so: whoever used it is signed out now.',
  429: 'Too many sign-ins from your address have failed. Wait a minute, then try again.',
  503: 'Nobody can sign in now, since a service that is needed does not answer. Try again in a moment.',
};

export function sendFailedSignIn(ctx: Context, status: keyof typeof failures): Promise<void> {
  return send(ctx, status, 'Not signed in', <p role="alert">{failures[status]}</p>);
}

export function sendSignedOut(ctx: Context, isRevoked: boolean): Promise<void> {
  return send(
    ctx,
    200,
    'Signed out',
    isRevoked ? (
      <p>Your session has ended, here and at the API.</p>
    ) : (
      <p role="alert">
        This browser has forgotten your session. The API, or who signed you in, did not answer: there it ends
        by itself, as a rule within 40 minutes.
      </p>
    ),
  );
}

/** Leads on to an address of ours, so that the browser sends the cookie of the session. */
export async function sendArrival(ctx: Context, address: OwnAddress): Promise<void> {
  const page = (
    <BarePage title="One moment" refresh={{ seconds: 0, address }}>
      <LinkLine href={address}>Go on to the console</LinkLine>
    </BarePage>
  );
  await sendHtml(ctx, 200, renderWhole(page));
}
