import type { AnyAction } from '../action.ts';
import type { Handler } from '../handler.ts';
import type { Page } from '../page.ts';
import { cancelOperation } from './cancel-operation.tsx';
import { newExport } from './new-export.tsx';
import { operationPage } from './operation.tsx';
import { operationsPage } from './operations.tsx';
import { downloadResult } from './result.ts';

export const operationPages: readonly Page[] = [operationsPage, operationPage];

export const operationActions: readonly AnyAction[] = [newExport, cancelOperation];

export const operationHandlers: readonly Handler[] = [downloadResult];
