/** The names of what people do, as audit entries show them. */

const verbs: Readonly<Record<string, string>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * Returns the name of what a request does: `charges.capture` for `POST /v1/charges/{id}:capture`, `refunds.create` for
 * `POST /v1/refunds`.
 *
 * @param template the path of the route.
 */
export function toAction(method: string, template: string): string {
  const [path = '', command] = template.split(':');
  const nouns = path.split('/').filter((part) => part !== '' && part !== 'v1' && !part.startsWith('{'));
  return [...nouns, command ?? verbs[method] ?? method.toLowerCase()].join('.');
}
