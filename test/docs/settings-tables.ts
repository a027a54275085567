import { consoleOnly, consoleSettings } from '#console/config.ts';
import { api, limits } from '#startup/settings/api.ts';
import {
  processor,
  results,
  service,
  serviceSecrets,
  temporal,
  temporalConnection,
  worker,
} from '#startup/settings/service.ts';
import { listSecrets, listSettings, type Setting, type Table } from '#startup/settings/setting.ts';
import { everyProcess, web } from '#startup/settings/shared.ts';

const [begin, end] = ['<!-- settings: begin -->', '<!-- settings: end -->'];

/** The tables of docs/settings.md, in its order. */
const sections: { heading: string; about?: string; settings: Table }[] = [
  { heading: '## Every process', settings: everyProcess },
  { heading: '## API, worker and console', settings: web },
  { heading: '## API and worker', settings: service },
  { heading: '## Temporal', settings: { temporalConnection, temporal } },
  { heading: '## Payment processor', settings: processor },
  { heading: '## The API', settings: api },
  { heading: '### Limits of callers', settings: limits },
  { heading: '## The worker', settings: worker },
  {
    heading: '## Result files',
    about:
      'The API and the worker need the same values ([where results are kept](operations.md#results-of-operations)).\n' +
      'The AWS SDK finds the credentials of the bucket: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a credentials file that\n' +
      "`AWS_SHARED_CREDENTIALS_FILE` names, or the machine's role. An S3-compatible store that is not Amazon's takes them too.",
    settings: results,
  },
  {
    heading: '## The console',
    about:
      '[The console](console.md) reads these, those of every process, and those of API, worker and console.',
    settings: consoleOnly,
  },
];

/** Returns the page with the tables of settings as the code describes them. */
export function withSettings(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/settings.md needs the lines ${begin} and ${end}`);
  const parts = sections.map(({ heading, about, settings }) =>
    [heading, ...(about ? [about] : []), toTable(settings)].join('\n\n'),
  );
  return [before, begin, '\n\n', parts.join('\n\n'), '\n\n', end, after].join('');
}

function toTable(settings: Table): string {
  return [
    '| setting | default | takes | what it does | change it if |',
    '|---|---|---|---|---|',
    ...listSettings(settings).map(toRow),
  ].join('\n');
}

function toRow({ name, without, kind, about }: Setting<unknown>): string {
  const names = `\`${name}\`${about.isSecret ? ' *secret*' : ''}`;
  return `| ${[names, without, kind.description, about.does, about.change].join(' | ')} |`;
}

/** Names that are refused too: a secret of the AWS SDK, and folders that the chart mounts by itself. */
const reserved = ['AWS_SECRET_ACCESS_KEY', 'LOCAL_DIR', 'BLOB_DIR'];

/** Returns the schema of the chart's values, which refuses each secret among the plain settings. */
export function withSecretNames(schema: string): string {
  const names = [...serviceSecrets, ...listSecrets(consoleSettings), ...reserved];
  const lines = names.map((name) => `            "${name}"`).join(',\n');
  return schema.replace(/("not": \{\s+"enum": \[\n)[^\]]*?(\n +\])/, `$1${lines}$2`);
}
