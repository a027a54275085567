import { reconcile, type Reconciliation } from '#activities/maintenance/reconciliation.ts';
import { readConfig } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import type { Environment } from '../../support/stack/environment.ts';

/** What `npm run reconcile` finds, by a way of its own: it must agree with the checker that nothing differs. */
export async function reconcileAll({ stack, db, temporal: client }: Environment): Promise<Reconciliation> {
  const config = readConfig({ ...stack.env, PROCESSOR_URL: stack.processorUrl });
  const processors = openProcessors({ db, config });
  try {
    const { secretsKey, publicUrl } = config;
    const deps = { db, client, processors, secretsKey, publicUrl };
    return await reconcile(deps, { repair: false, settleMs: 2_000 });
  } finally {
    await processors.close();
  }
}
