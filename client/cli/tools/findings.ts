import { toPrintable, type Output } from '../output.ts';

/** The result of one check. A sentence that is not `fine` says what to do. */
export interface Finding {
  check: string;
  result: 'fine' | 'warning' | 'wrong';
  says: string;
}

const as =
  (result: Finding['result']) =>
  (check: string, says: string): Finding => ({ check, result, says });

export const fine = as('fine');
export const warning = as('warning');
export const wrong = as('wrong');

const marks = {
  fine: ['green', 'ok     '],
  warning: ['yellow', 'warning'],
  wrong: ['red', 'wrong  '],
} as const;

/** Returns the line of a finding. */
export function sayFinding(output: Output, { check, result, says }: Finding): string {
  const [colour, mark] = marks[result];
  return `${output.paint(colour, mark)}  ${toPrintable(`${check.padEnd(20)}  ${says}`)}`;
}
