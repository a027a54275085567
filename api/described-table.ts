import { readConfig } from '#startup/config.ts';
import type { ApiDeps } from './http/deps.ts';
import { createRoutes } from './routes.ts';
import type { RouteTable } from './openapi/document.ts';
import { eventResources } from './webhooks/event-schemas.ts';

/** Returns all routes for descriptions. They cannot serve requests: they have no database and no Temporal. */
export function describedTable(): RouteTable {
  const config = readConfig({
    DATABASE_URL: 'postgres://nowhere',
    PROCESSOR_URL: 'https://nowhere',
    PROCESSOR_SECRET: 'not-a-secret-at-all',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  // Routes take the rest apart only when they handle a request.
  const deps = { config, signingKeys: {} } as unknown as ApiDeps;
  return { routes: createRoutes(deps), events: eventResources };
}
