import { z } from 'zod';
import type { Operation } from '#client/src/index.ts';
import type { Scope } from '#domain/scopes.ts';
import { defineAction } from '../action.ts';
import type { Visit } from '../page.ts';
import { may } from '../session/scopes.ts';
import { typeNames } from './progress.tsx';

/** Where operations of each type are cancelled, and what that needs. Support may cancel exports alone. */
const cancels: Readonly<Record<Operation['type'], { path(id: string): string; scope: Scope }>> = {
  export: { path: (id) => `/v1/exports/${id}/cancel`, scope: 'exports:write' },
  charge_batch: { path: (id) => `/v1/charge-batches/${id}/cancel`, scope: 'charge-batches:write' },
  webhook_replay: { path: (id) => `/v1/operations/${id}:cancel`, scope: 'operations:write' },
};

/** Returns whether the person may cancel the operation, and it can still be cancelled. */
export function canCancel({ type, done, status }: Operation, { session }: Pick<Visit, 'session'>): boolean {
  return !done && status !== 'cancelling' && may(session, cancels[type].scope);
}

export const cancelOperation = defineAction({
  path: '/operations/{id}/cancel',
  section: 'operations',
  scope: 'exports:write',
  title: () => 'Cancel operation',
  load: ({ api, params }) => api.operations.get(params['id'] ?? ''),
  fields: () => null,
  values: z.object({}),
  preview: ({ id, type, done }) => ({
    sentences: done
      ? ['It has ended already, so nothing will change.']
      : [
          `The ${typeNames[type].toLowerCase()} ${id} is asked to stop.`,
          'What it has done by then stays done.',
          type === 'charge_batch'
            ? 'It cannot be continued. Its result names the charge of each row that was begun.'
            : 'It cannot be continued; a new one can be started.',
        ],
    call: { method: 'POST', path: cancels[type].path(id), body: {} },
    submit: 'Cancel operation',
  }),
  done: (_answer, { params }) => ({ location: `/operations/${params['id']}` }),
});
