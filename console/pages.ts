import * as audit from './access/audit.tsx';
import * as clients from './access/clients.tsx';
import * as members from './access/members.tsx';
import * as sessions from './access/sessions.tsx';
import * as newExport from './operations/new-export.ts';
import * as operations from './operations/operations.tsx';
import * as result from './operations/result.ts';
import * as overview from './overview/overview.tsx';
import * as timeZone from './overview/time-zone.tsx';
import * as today from './overview/today.tsx';
import { places } from './parts/places.ts';
import * as chargeVerbs from './payments/charge-verbs.ts';
import * as charges from './payments/charges.tsx';
import * as customers from './payments/customers.tsx';
import * as refunds from './payments/refunds.tsx';
import * as search from './payments/search.tsx';
import * as requests from './operations/requests.tsx';
import * as accounts from './service/accounts.tsx';
import * as serviceAudit from './service/audit.tsx';
import * as backlogs from './service/backlogs.tsx';
import * as reconciliations from './service/reconciliations.tsx';
import * as service from './service/service.tsx';
import * as unknownOutcomes from './service/unknown-outcomes.tsx';
import * as deliveries from './webhooks/deliveries.tsx';
import * as endpointVerbs from './webhooks/endpoint-verbs.ts';
import * as endpoints from './webhooks/endpoints.tsx';
import * as events from './webhooks/events.tsx';
import * as replay from './webhooks/replay.tsx';
import type { AnyAction, Handler, Page, Section } from './page.ts';

/** All that the console serves to those who have signed in. */
export interface Screens {
  pages: readonly Page[];
  actions: readonly AnyAction[];
  /** What is neither: searches and downloads. */
  handlers: readonly Handler[];
}

/** The files of each section. Every page, action and handler that one exports is served. */
const files: Readonly<Record<Section, readonly object[]>> = {
  overview: [overview, today, timeZone],
  payments: [charges, chargeVerbs, refunds, customers, search],
  requests: [requests],
  webhooks: [endpoints, endpointVerbs, deliveries, events, replay],
  operations: [operations, newExport, result],
  service: [service, unknownOutcomes, backlogs, reconciliations, accounts, serviceAudit],
  access: [clients, members, sessions, audit],
};

const exported = Object.entries(files).flatMap(([section, modules]) =>
  modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((each) => typeof each === 'object' && each !== null && 'path' in each)
    .map((each) => ({ ...(each as object), section })),
);

const find = <Screen>(mark: string) => exported.filter((each) => mark in each) as unknown as Screen[];

/** Every screen of the console. A test walks them all. */
export const screens: Screens = {
  pages: find<Page>('regions'),
  actions: find<AnyAction>('preview'),
  handlers: find<Handler>('handle'),
};

export const { pages, actions, handlers } = screens;
places.pages = pages;
