import type { AnyAction } from '../action.ts';
import type { Page } from '../page.ts';
import { accountPage, accountsPage } from './accounts.tsx';
import { askNow, disableAccount, enableAccount, reconcileNow, sweepNow } from './actions.tsx';
import { serviceAuditPage } from './audit.tsx';
import { openOperationsPage } from './open-operations.tsx';
import { reconciliationPage, reconciliationsPage } from './reconciliations.tsx';
import { servicePage } from './service.tsx';
import { unknownOutcomePage } from './unknown-outcome.tsx';
import { unknownOutcomesPage } from './unknown-outcomes.tsx';
import { serviceWebhooksPage } from './webhooks.tsx';

/** The screens of operators. */
export const servicePages: readonly Page[] = [
  servicePage,
  unknownOutcomesPage,
  unknownOutcomePage,
  openOperationsPage,
  serviceWebhooksPage,
  reconciliationsPage,
  reconciliationPage,
  accountsPage,
  accountPage,
  serviceAuditPage,
];

/** What operators do there. */
export const serviceActions: readonly AnyAction[] = [
  askNow,
  reconcileNow,
  sweepNow,
  disableAccount,
  enableAccount,
];
