#!/usr/bin/env node
/*
 * The command `payments`. The package brings it compiled; in the repository it runs from its source, so that nothing
 * has to be built first.
 */
import { existsSync } from 'node:fs';

const isSource = existsSync(new URL('main.ts', import.meta.url));
if (isSource) await import('tsx');
const { main } = await import(new URL(isSource ? 'main.ts' : '../dist/cli/main.js', import.meta.url).href);
await main();
