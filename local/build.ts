import { workflowBundle } from '#worker/bundle.ts';
import { compileForDeployment } from './programs.ts';

/** `npm run build`: compiles the programs and bundles the workflows, once, so that no process does so at its start. */
await compileForDeployment();
await workflowBundle('dist');
