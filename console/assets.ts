import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The files that pages load. Their address holds their hash, so that a browser may keep them for good. */

export interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const types: Record<string, string> = {
  'console.css': 'text/css; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
  'keys.js': 'text/javascript; charset=utf-8',
  'times.js': 'text/javascript; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export type AssetName = 'console.css' | 'live.js' | 'keys.js' | 'times.js' | 'copy.js' | 'icon.svg';

export const assetNames = Object.keys(types) as AssetName[];

const byPath = new Map<string, Asset>();
const paths = new Map<string, string>();

for (const name of assetNames) {
  const bytes = readFileSync(new URL(`assets/${name}`, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const path = `/assets/${name.replace('.', `.${hash}.`)}`;
  paths.set(name, path);
  byPath.set(path, { type: types[name] ?? '', bytes, gzipped: gzipSync(bytes, { level: 9 }) });
}

/** Returns the path of a file, such as `/assets/console.3f2a….css`. */
export function assetPath(name: AssetName): string {
  return paths.get(name) ?? '';
}

/** Returns the file at this path; `null` if there is none. */
export function findAsset(path: string): Asset | null {
  return byPath.get(path) ?? null;
}
