import { definePage, type Page } from '../page.ts';
import { may } from '../session/scopes.ts';
import { failingRegion, operationsRegion, pendingRegion, refusalsRegion } from './attention.tsx';
import { chargesRegion } from './charges.tsx';

/** How the account is doing, on one page. */
const overview = definePage({
  path: '/',
  section: 'overview',
  scope: 'charges:read',
  title: () => 'Overview',
  regions: ({ session }) => [
    chargesRegion,
    pendingRegion,
    ...(may(session, 'webhooks:read') ? [failingRegion] : []),
    ...(may(session, 'operations:read') ? [operationsRegion] : []),
    ...(may(session, 'requests:read') ? [refusalsRegion] : []),
  ],
});

export const overviewPages: readonly Page[] = [overview];
