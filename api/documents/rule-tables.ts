import { scopes } from '#domain/scopes.ts';
import { apiVersions, currentVersion, findDeprecation } from '#domain/versions/versions.ts';
import { describeScope } from '../openapi/scopes.ts';
import { prose } from './html.ts';
import { scrollable } from './markdown.ts';

/** Tables of guides that are made from the rules themselves. */

/** Returns the table of scopes, and what each one allows. */
export function scopeTable(): string {
  const rows = scopes.map(
    (scope) => `<tr><td><code>${scope}</code></td><td>${prose(describeScope(scope))}</td></tr>`,
  );
  return table(['scope', 'what it allows'], rows);
}

/** Returns the table of API versions, with the day when each ends. */
export function versionTable(): string {
  const rows = apiVersions.toReversed().map((version) => {
    const end = findDeprecation(version)?.sunset;
    const state = version === currentVersion ? 'current' : `ends on ${end?.toISOString().slice(0, 10)}`;
    return `<tr><td><code>${version}</code></td><td>${state}</td></tr>`;
  });
  return table(['version', 'state'], rows);
}

function table(heads: string[], rows: string[]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join('');
  return scrollable(`<thead><tr>${head}</tr></thead>\n<tbody>${rows.join('\n')}</tbody>`);
}
