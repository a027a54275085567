import { declineAdvice, failureAdvice } from '#domain/cards/decline-advice.ts';
import { problems, type ProblemCode } from '#domain/problems.ts';
import { problemCodes } from '../http/problem-schema.ts';
import { prose } from './html.ts';
import { scrollable } from './markdown.ts';

/** The tables of codes in the guides. */

/** Returns the table of decline codes, with what to tell the buyer. */
export function declineTable(): string {
  const rows = Object.entries(declineAdvice).map(
    ([code, { meaning, tell, again }]) =>
      `<tr><td><code>${code}</code></td><td>${prose(meaning)}</td><td>“${prose(tell)}”</td><td>${again}</td></tr>`,
  );
  return scrollable(
    `<thead><tr><th>code</th><th>what happened</th><th>tell the buyer</th><th>same card again</th></tr></thead>\n<tbody>${rows.join('\n')}</tbody>`,
  );
}

/** Returns the table of the codes in `failure.code` of a charge. */
export function failureTable(): string {
  const rows = Object.entries(failureAdvice).map(
    ([code, advice]) => `<tr><td><code>${code}</code></td><td>${prose(advice)}</td></tr>`,
  );
  return scrollable(
    `<thead><tr><th>code</th><th>what to do</th></tr></thead>\n<tbody>${rows.join('\n')}</tbody>`,
  );
}

/** Returns the table of all problem codes, by status. */
export function problemTable(): string {
  const codes = problemCodes.toSorted((a, b) => problems[a].status - problems[b].status);
  const row = (code: ProblemCode) => {
    const { status, title, advice } = problems[code];
    return `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${prose(`${title}. ${advice}`)}</td></tr>`;
  };
  return scrollable(
    `<thead><tr><th>status</th><th>code</th><th>what to do</th></tr></thead>\n<tbody>${codes.map(row).join('\n')}</tbody>`,
  );
}
