import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Files that the pages load: the viewer's own from its package, and ours. */

export interface Asset {
  type: string;
  bytes: Buffer;
}

const { resolve } = createRequire(import.meta.url);
const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const files: Record<string, { type: string; path: () => string | URL }> = {
  'swagger-ui.css': { type: style, path: () => resolve('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui-bundle.js': { type: script, path: () => resolve('swagger-ui-dist/swagger-ui-bundle.js') },
  'viewer.js': { type: script, path: () => new URL('viewer.js', import.meta.url) },
  'viewer.css': { type: style, path: () => new URL('viewer.css', import.meta.url) },
  'pages.css': { type: style, path: () => new URL('pages.css', import.meta.url) },
  'icon.svg': { type: 'image/svg+xml', path: () => new URL('icon.svg', import.meta.url) },
};

const read = new Map<string, Asset>();

/** The file of this name, read when it is first asked for; `null` where there is none. */
export function findAsset(name: string): Asset | null {
  if (!Object.hasOwn(files, name)) return null;
  const known = read.get(name);
  if (known) return known;
  const { type, path } = files[name] as (typeof files)[string];
  const asset = { type, bytes: readFileSync(path()) };
  read.set(name, asset);
  return asset;
}
