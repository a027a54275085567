import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The files that the pages load: those of the viewer's package, and ours. */

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

const readAsset = once((name: string): Asset => {
  const { type, path } = files[name] as (typeof files)[string];
  return { type, bytes: readFileSync(path()) };
});

/** Returns the file of this name, which is read at the first call. Returns `null` if there is none. */
export function findAsset(name: string): Asset | null {
  return Object.hasOwn(files, name) ? readAsset(name) : null;
}

/** Returns a function that makes the value of each key once, and keeps it. */
export function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
