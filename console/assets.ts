import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The files that pages load. Their address holds their hash, so that a browser may keep them for good. */

export interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const script = 'text/javascript; charset=utf-8';

const types = {
  'console.css': 'text/css; charset=utf-8',
  'live.js': script,
  'keys.js': script,
  'copy.js': script,
  'icon.svg': 'image/svg+xml',
};

export type AssetName = keyof typeof types;

export const assetNames = Object.keys(types) as AssetName[];

const read = (path: string) => readFileSync(new URL(path, import.meta.url));

const byPath = new Map<string, Asset>();
const paths = new Map<string, string>();

for (const name of assetNames) {
  const own = read(`assets/${name}`);
  // The style has a part that the pages at /docs have too.
  const bytes = name === 'console.css' ? Buffer.concat([read('../http/pages.css'), own]) : own;
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const path = `/assets/${name.replace('.', `.${hash}.`)}`;
  paths.set(name, path);
  byPath.set(path, { type: types[name], bytes, gzipped: gzipSync(bytes, { level: 9 }) });
}

/** Returns the path of a file, such as `/assets/console.3f2a….css`. */
export function assetPath(name: AssetName): string {
  return paths.get(name) ?? '';
}

/** Returns the file at this path; `null` if there is none. */
export function findAsset(path: string): Asset | null {
  return byPath.get(path) ?? null;
}
