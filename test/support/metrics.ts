import assert from 'node:assert/strict';

/** What a process tells at one moment, to compare with what it tells later. */
export interface Scrape {
  text: string;
  /** The sum of all samples of this name that carry these labels. */
  sum(name: string, labels?: Record<string, string>): number;
}

/** Returns what one process tells, or several together: the API and the worker both take steps of charges. */
export async function scrape(...urls: string[]): Promise<Scrape> {
  const text = (await Promise.all(urls.map(read))).join('\n');
  const samples = [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/gim)].map(
    ([, name = '', labels = '', value]) => ({ name, labels: parseLabels(labels), value: Number(value) }),
  );
  return {
    text,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name && carries(sample.labels, labels))
        .reduce((total, { value }) => total + value, 0),
  };
}

async function read(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name!, value!]),
  );
}

function carries(sample: Record<string, string>, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([name, value]) => sample[name] === value);
}
