import { problems, type ProblemCode } from '#domain/problems.ts';
import { operationId } from '../openapi/operation-ids.ts';
import { problemsByStatus } from '../openapi/problem-codes.ts';
import { exampleProblem, problemCodes } from '../http/problem-schema.ts';
import type { Route } from '../http/route.ts';
import { contents } from './guides.ts';
import { escapeHtml, page, prose } from './html.ts';
import { codeBlock } from './markdown.ts';
import { operationAddress } from './reference-pages.ts';

/** The meaning of each problem code: a page for people, JSON for programs, and a list of all codes. */

/** Returns the JSON of GET /problems/{code}. */
export function explainProblem(code: ProblemCode, publicUrl: string): object {
  const { status, title, advice } = problems[code];
  return { type: `${publicUrl}/problems/${code}`, code, title, status, advice };
}

/** Returns the page of GET /problems/{code}. */
export function problemPage(code: ProblemCode, routes: readonly Route[]): string {
  const { title, advice } = problems[code];
  const example = JSON.stringify(exampleProblem(code), null, 2);
  return textPage(
    `${code} – Payments API`,
    `<p class="code">${statusBadge(code)} <code>${code}</code></p>
<h1>${prose(title)}</h1>
<p>${prose(advice)}</p>
<h2>Example</h2>
${codeBlock(example, 'Problem')}
<h2>Operations with this problem</h2>
${answeredBy(
  code,
  routes.filter(({ caller }) => caller === 'account'),
)}
<p><a href="/problems">All problem codes</a></p>`,
  );
}

/** Returns the page of GET /problems. */
export function problemIndexPage(): string {
  const items = problemCodes.map((code) => {
    const { title } = problems[code];
    return `<li>${statusBadge(code)}<a href="/problems/${code}"><code>${code}</code></a><p>${prose(title)}</p></li>`;
  });
  return textPage(
    'Problems – Payments API',
    `<h1>Problems</h1>
<p>Every failure is a problem document (RFC 9457) with one of these codes, which are never renamed: branch on
<code>code</code>, show <code>detail</code>, and quote <code>trace_id</code> when you report one.</p>
<ul class="list">
${items.join('\n')}
</ul>`,
  );
}

function textPage(title: string, content: string): string {
  return page({ title, content, contents: contents() });
}

function statusBadge(code: ProblemCode): string {
  const { status } = problems[code];
  return `<span class="status${status >= 500 ? ' server' : ''}">${status}</span>`;
}

function answeredBy(code: ProblemCode, routes: readonly Route[]): string {
  const answering = routes.filter((route) =>
    [...problemsByStatus(route).values()].some((codes) => codes.includes(code)),
  );
  if (answering.length === 0 || answering.length === routes.length) return '<p>Any request.</p>';
  const items = answering.map((route) => `<li>${linkTo(route)}<p>${prose(route.summary)}</p></li>`);
  return `<ul class="list">\n${items.join('\n')}\n</ul>`;
}

function linkTo(route: Route): string {
  return `<a href="${operationAddress(operationId(route))}"><code>${route.method} ${escapeHtml(route.path)}</code></a>`;
}
