import type { Page } from '../page.ts';
import { requestPage } from './request.tsx';
import { requestsPage } from './requests.tsx';

export const requestPages: readonly Page[] = [requestsPage, requestPage];
