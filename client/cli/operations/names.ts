/** Where an operation stands among the commands: `payments <resource> <verb> [id]`. */
export interface CommandName {
  resource: string;
  verb: string;
  /** The names of the path's parameters, in their order. */
  arguments: string[];
}

/** Verbs of a collection, and of one resource. */
const collectionVerbs: Record<string, string> = { GET: 'list', POST: 'create' };
const resourceVerbs: Record<string, string> = {
  GET: 'get',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  POST: 'create',
};

/**
 * Returns the name from method and path, so that it does not depend on how the document names its operations:
 * `POST /v1/charges/{id}:capture` is `charges capture ID`, `GET /v1/charges/{id}/timeline` is `charges timeline ID`.
 */
export function nameCommand(method: string, path: string): CommandName {
  // The issuer of tokens is a resource of its own: `POST /oauth2/introspect` is `oauth2 introspect`.
  if (!path.startsWith('/v1/')) {
    const [, resource = '', verb = ''] = path.split('/');
    return { resource, verb, arguments: [] };
  }
  const [, , resource = '', ...rest] = path.split('/');
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const [, action] = path.split(':');
  const last = rest.at(-1);
  let verb: string;
  if (action !== undefined) verb = action;
  else if (last === undefined) verb = collectionVerbs[method] ?? method.toLowerCase();
  else if (last.startsWith('{')) verb = resourceVerbs[method] ?? method.toLowerCase();
  // `POST /v1/charges/{id}/refunds` makes one of them.
  else verb = method === 'POST' ? last.replace(/s$/, '') : last;
  return { resource, verb, arguments: parameters };
}
