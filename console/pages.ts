import type { AnyAction } from './action.ts';
import type { Handler } from './handler.ts';
import type { Page } from './page.ts';

/** Every screen of the console. A test walks them all. */
export const pages: readonly Page[] = [];

/** Every write that a person can make. */
export const actions: readonly AnyAction[] = [];

/** What is neither: searches and downloads. */
export const handlers: readonly Handler[] = [];
