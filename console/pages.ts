import { accessActions, accessPages } from './access/pages.ts';
import type { AnyAction } from './action.ts';
import type { Handler } from './handler.ts';
import { operationActions, operationHandlers, operationPages } from './operations/pages.ts';
import { overviewPages } from './overview/pages.ts';
import type { Page } from './page.ts';
import { paymentActions, paymentHandlers, paymentPages } from './payments/pages.ts';
import { requestPages } from './requests/pages.ts';
import { serviceActions, servicePages } from './service/pages.ts';
import { webhookActions, webhookPages } from './webhooks/pages.ts';

/** Every screen of the console. A test walks them all. */
export const pages: readonly Page[] = [
  ...overviewPages,
  ...paymentPages,
  ...requestPages,
  ...webhookPages,
  ...operationPages,
  ...servicePages,
  ...accessPages,
];

/** Every write that a person can make. */
export const actions: readonly AnyAction[] = [
  ...paymentActions,
  ...webhookActions,
  ...operationActions,
  ...serviceActions,
  ...accessActions,
];

/** What is neither: searches and downloads. */
export const handlers: readonly Handler[] = [...paymentHandlers, ...operationHandlers];

/** All that the console serves to those who have signed in. */
export interface Screens {
  pages: readonly Page[];
  actions: readonly AnyAction[];
  handlers: readonly Handler[];
}

export const screens: Screens = { pages, actions, handlers };
