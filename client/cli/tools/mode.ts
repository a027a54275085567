import { fine, warning, type Finding } from './findings.ts';

/** Whether an account moves real money, and whether that fits its address and the name of its profile. */

/** `null`: the token does not say, as one of an outside issuer. */
export type Mode = 'test' | 'live' | null;

interface Claims {
  scope?: string;
  livemode?: boolean;
}

/** Reads a token of the service only to show what it is for: the service verifies it. */
export function readClaims(token: string): Claims {
  try {
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(claims) as Claims;
  } catch {
    return {};
  }
}

/** Returns the mode of the account that a token is for. */
export function readMode(token: string): Mode {
  const { livemode } = readClaims(token);
  if (livemode === undefined) return null;
  return livemode ? 'live' : 'test';
}

/** Says in which mode the account is, and warns where its address or its profile is of the other one. */
export function checkMode(mode: Mode, url: string, profile: string | null): Finding[] {
  if (mode === null) {
    const says = 'The service does not say whether this account is live. Treat it as live';
    return [warning('mode', says)];
  }
  const { hostname } = new URL(url);
  const fits = (mode === 'test') === isTestAddress(hostname);
  const [says, hint] = {
    live: [
      'Live: charges of this account move real money',
      `${hostname} is an address for development. Use the client of a test account here`,
    ],
    test: [
      'Test: no charge of this account moves real money',
      `${hostname} looks like production. To go live, use the client of a live account`,
    ],
  }[mode] as [string, string];
  const named = profile === null ? null : readName(profile);
  const mismatch = `Profile ${profile} is named as a ${named} one, and its account is ${mode}`;
  return [
    fits ? fine('mode', says) : warning('mode', `${says}, and ${hint}`),
    ...(named === null || named === mode ? [] : [warning('profile', mismatch)]),
  ];
}

const testWords =
  /^(?:test(?:ing)?|sandbox|stag(?:e|ing)|dev(?:elop(?:ment)?)?|qa|demo|preview|local(?:host)?)$/;
const liveWords = /^(?:live|prod(?:uction)?)$/;

/** Returns the mode that a name speaks of: `acme-staging` is for tests. `null`: it speaks of none, or of both. */
function readName(name: string): Mode {
  const words = name.toLowerCase().split(/[^a-z]+/);
  const isTest = words.some((word) => testWords.test(word));
  const isLive = words.some((word) => liveWords.test(word));
  if (isTest === isLive) return null;
  return isLive ? 'live' : 'test';
}

/** Addresses of this machine and of private networks, and hosts that are named as those for tests. */
function isTestAddress(hostname: string): boolean {
  const isPrivate =
    /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$|^\[(?:::1|f[cd][\da-f]{2}:.*|fe80:.*)\]$/;
  if (isPrivate.test(hostname)) return true;
  if (hostname.startsWith('[')) return false;
  // A top-level domain such as .dev says nothing; these belong to private networks.
  const labels = hostname.split('.');
  const last = labels.pop() ?? '';
  const isInternal = labels.length === 0 || /^(?:test|local|localhost|internal|lan)$/.test(last);
  return isInternal || readName(labels.join('.')) === 'test';
}
