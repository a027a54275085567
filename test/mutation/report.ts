import { existsSync, readFileSync } from 'node:fs';
import { reportPath } from './stryker.ts';

/** What Stryker says of a target (https://github.com/stryker-mutator/mutation-testing-elements, its JSON schema). */
interface StrykerReport {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
  mutatorName: string;
  replacement?: string;
  status: string;
  location: { start: Place; end: Place };
}

/** Both count from 1. */
interface Place {
  line: number;
  column: number;
}

export interface Score {
  target: string;
  noticed: number;
  mutants: number;
  /** A line each: where, and what became of the code there. */
  survivors: string[];
}

/** Returns what is known of a target; `null` if it was never tried. */
export function readScore(target: string): Score | null {
  const path = reportPath(target);
  if (!existsSync(path)) return null;
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as StrykerReport;
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, line: describe(file, source, mutant) })),
  );
  const counted = all.filter(({ status }) => isNoticed(status) || isSurvivor(status));
  return {
    target,
    mutants: counted.length,
    noticed: counted.filter(({ status }) => isNoticed(status)).length,
    survivors: counted.filter(({ status }) => isSurvivor(status)).map(({ line }) => line),
  };
}

const isNoticed = (status: string) => status === 'Killed' || status === 'Timeout';
const isSurvivor = (status: string) => status === 'Survived' || status === 'NoCoverage';

function describe(file: string, source: string, { location, replacement, mutatorName }: Mutant): string {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const before =
    lines.length > 1 ? lines.join(' ') : (lines[0] ?? '').slice(start.column - 1, end.column - 1);
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${shorten(before)} → ${shorten(replacement ?? '')}`;
}

function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 87)}…` : line;
}

/** Returns the score of all in percent. */
export function sumUp(scores: readonly Score[]): number {
  const noticed = scores.reduce((sum, one) => sum + one.noticed, 0);
  const mutants = scores.reduce((sum, one) => sum + one.mutants, 0);
  return mutants === 0 ? 100 : (100 * noticed) / mutants;
}

/** Returns the scores as a table in Markdown, with the survivors of each file behind it. */
export function writeReport(scores: readonly Score[]): string {
  const rows = [...scores.map((score) => toRow(score.target, [score])), toRow('all', scores)];
  const survivors = scores.flatMap((score) => score.survivors);
  return [
    '| file | mutants | noticed | score |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...(survivors.length > 0 ? ['Survivors:', ...survivors] : ['No mutant survived.']),
  ].join('\n');
}

function toRow(name: string, scores: readonly Score[]): string {
  const noticed = scores.reduce((sum, one) => sum + one.noticed, 0);
  const mutants = scores.reduce((sum, one) => sum + one.mutants, 0);
  return `| ${name} | ${mutants} | ${noticed} | ${sumUp(scores).toFixed(1)} % |`;
}
