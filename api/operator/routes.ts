import type { ApiDeps } from '../http/deps.ts';
import type { RawRoute } from '../http/raw-route.ts';
import { operatorAccountRoutes } from './accounts.ts';
import { operatorFigureRoutes } from './figures.ts';
import { operatorOperationRoutes } from './operations.ts';
import { overviewRoutes } from './overview.ts';
import { reconciliationRoutes } from './reconciliations.ts';
import { operatorAuditRoutes } from './audit-entries.ts';
import { resourceRoutes } from './resources.ts';
import { sweepRoutes } from './sweeps.ts';
import { unknownOutcomeRoutes } from './unknown-outcomes.ts';
import { operatorWebhookRoutes } from './webhooks.ts';

/** Returns the routes of operators, which are about all accounts. */
export function operatorRoutes(deps: ApiDeps): RawRoute[] {
  return [
    ...overviewRoutes(deps),
    ...unknownOutcomeRoutes(deps),
    ...operatorOperationRoutes(deps),
    ...operatorWebhookRoutes(deps),
    ...operatorFigureRoutes(deps),
    ...reconciliationRoutes(deps),
    ...operatorAccountRoutes(deps),
    ...resourceRoutes(deps),
    ...sweepRoutes(deps),
    ...operatorAuditRoutes(deps),
  ];
}
