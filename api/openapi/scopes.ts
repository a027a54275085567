/** What each scope allows, in words. */

/** What scopes allow whose names do not say it. */
const scopeWords: Readonly<Record<string, string>> = {
  'charges:update': 'Capture, cancel and describe charges, but make none. It is a part of `charges:write`.',
  'webhooks:replay':
    'Send test events, and events again, which also needs `events:read`. It is a part of `webhooks:write`.',
  'access:read': 'Read the clients, members, sessions and audit entries of the account.',
  'access:write':
    'Create, disable and enable clients, give them new secrets, and end sessions. A client gets no scope that its maker lacks.',
  'operator:read': 'Read what the operators of the service read. A token with it names no account.',
  'operator:write': 'Do what the operators of the service do. A token with it names no account.',
};

/** What a scope needs besides, or what its name does not say. */
const scopeNotes: Readonly<Record<string, string>> = {
  'charges:read': 'The timeline of a charge also needs `refunds:read` and `webhooks:read`.',
  'charge-batches:read': 'The result of a batch also needs `charges:read`.',
  'charge-batches:write': 'Submitting a batch also needs `charges:write`.',
  'exports:read': 'The file of an export also needs the read scope of the exported resources.',
  'exports:write': 'Creating an export also needs the read scope of the exported resources.',
  'operations:read': 'The result of an operation also needs the scopes of its resources.',
  'events:read': 'Events show charges, refunds, customers and webhook endpoints as they were at the time.',
  'webhooks:write': 'Creating or changing endpoints, and sending events again, also needs `events:read`.',
};

/** Returns what a scope allows. */
export function describeScope(scope: string): string {
  const words = scopeWords[scope];
  if (words !== undefined) return words;
  const [resource = '', action] = scope.split(':');
  const note = scopeNotes[scope] === undefined ? '' : `. ${scopeNotes[scope]}`;
  return `${action === 'read' ? 'Read' : 'Create and change'} ${resource.replace('-', ' ')}${note}`;
}
