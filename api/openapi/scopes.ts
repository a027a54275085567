/** What each scope allows, in words. */

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
  const [resource = '', action] = scope.split(':');
  const note = scopeNotes[scope] === undefined ? '' : `. ${scopeNotes[scope]}`;
  return `${action === 'read' ? 'Read' : 'Create and change'} ${resource.replace('-', ' ')}${note}`;
}
