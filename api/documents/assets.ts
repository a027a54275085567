import { readFileSync } from 'node:fs';

/** The files that the pages load. */

export interface Asset {
  type: string;
  bytes: Buffer;
}

const files: Record<string, string> = {
  'copy.js': 'text/javascript; charset=utf-8',
  'pages.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The style that the console has too. */
const shared = new URL('../../http/pages.css', import.meta.url);

const readAsset = once((name: string): Asset => {
  const type = files[name] as string;
  const bytes = readFileSync(new URL(name, import.meta.url));
  return { type, bytes: name === 'pages.css' ? Buffer.concat([readFileSync(shared), bytes]) : bytes };
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
