import type { ComponentChildren, JSX } from 'preact';
import { assetPath } from '../assets.ts';
import type { Section, Visit } from '../page.ts';
import { oidcPath, zonePath } from '../session/own-address.ts';
import { Text, Time } from './values.tsx';
import { withQuery } from './tabs.tsx';

/** An entry of the navigation. */
export interface Entry {
  section: Section;
  label: string;
  path: string;
  /** The letter that leads there, after `g`. */
  key: string;
}

interface DocumentProps {
  title: string;
  /** Asks the browser for this address, in seconds. (Default: it stays) */
  refresh?: { seconds: number; address: string };
  children: ComponentChildren;
}

/** The whole of a page: its head, and what the body holds. */
export function Document({ title, refresh, children }: DocumentProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refresh ? (
          <meta http-equiv="refresh" content={`${refresh.seconds}; url=${refresh.address}`} />
        ) : null}
        <title>{`${title} · Payments console`}</title>
        <link rel="icon" href={assetPath('icon.svg')} />
        <link rel="stylesheet" href={assetPath('console.css')} />
        {(['copy.js', 'keys.js', 'live.js'] as const).map((name) => (
          <script key={name} type="module" src={assetPath(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {children}
      </body>
    </html>
  );
}

/** A page without a session: sign-in, and what went wrong before one. */
export function BarePage({ title, refresh, children }: DocumentProps): JSX.Element {
  return (
    <Document title={title} {...(refresh && { refresh })}>
      <header class="top">
        <p class="product">Payments console</p>
      </header>
      <main id="content">
        <h1>{title}</h1>
        {children}
      </main>
    </Document>
  );
}

interface LayoutProps {
  title: string;
  visit: Visit;
  section: Section | null;
  entries: readonly Entry[];
  /** Says when the page was made, and offers to make it anew. */
  isLive?: boolean;
  children: ComponentChildren;
}

/** A page of a signed-in person. */
export function Layout(props: LayoutProps): JSX.Element {
  const { title, visit, section, entries, isLive = false, children } = props;
  const toZone = `${zonePath}?${new URLSearchParams({ back: withQuery(visit, {}) })}`;
  return (
    <Document title={title}>
      <Header visit={visit} />
      <nav class="sections" aria-label="Screens">
        <ul>
          {entries.map((entry) => (
            <li key={entry.section}>
              <a
                href={entry.path}
                aria-current={entry.section === section ? 'page' : undefined}
                data-key={entry.key}
              >
                {entry.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        <div class="heading">
          <h1>{title}</h1>
          {isLive ? <Updated visit={visit} /> : null}
        </div>
        {children}
      </main>
      <footer class="hint">
        {/* Errors and what was posted are no places to come back to. */}
        Times are in {visit.timeZone}. <a href={section === null ? zonePath : toZone}>Change</a>
      </footer>
    </Document>
  );
}

function Header({ visit: { session, canSwitchAccounts } }: { visit: Visit }): JSX.Element {
  return (
    <header class="top">
      <p class="product">
        <a href="/">Payments console</a>
        {session.account === null ? null : (
          <span class="account">
            <Text value={session.account.name} />
          </span>
        )}
      </p>
      {session.role === 'operator' && session.account !== null ? <LeaveAccount /> : null}
      {session.account === null ? null : (
        <form class="search" method="post" action="/search" role="search">
          <label class="unseen" for="q">
            Search
          </label>
          <input
            id="q"
            name="q"
            type="search"
            required
            maxLength={255}
            autoComplete="off"
            placeholder="id, reference, amount, e-mail, key, trace, card and day"
          />
        </form>
      )}
      <form class="person" method="post" action="/sign-out">
        <span>
          <Text value={session.member.name} /> · {session.role}
        </span>{' '}
        {canSwitchAccounts ? <a href={oidcPath}>Switch account</a> : null}{' '}
        <button type="submit" class="plain">
          Sign out
        </button>
      </form>
    </header>
  );
}

/** An operator reads this account, and changes nothing. */
function LeaveAccount(): JSX.Element {
  return (
    <form class="leave" method="post" action="/leave-account">
      <span>read only</span>{' '}
      <button type="submit" class="plain">
        Leave
      </button>
    </form>
  );
}

/** Without scripts this is how a page is made anew; `live.js` puts its own words and a button there. */
function Updated({ visit }: { visit: Visit }): JSX.Element {
  return (
    <p class="updated" id="live" data-zone={visit.timeZone}>
      Updated <Time at={visit.now} />. <a href={withQuery(visit, {})}>Refresh</a>
    </p>
  );
}
