/** HTML as text, for pages that need no more than a few elements. */

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns HTML for prose with `code` in backticks. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** A page. `content` and `contents` are HTML already. */
export interface Page {
  title: string;
  content: string;
  /** The list of pages beside this one. (Default: none) */
  contents?: string;
  /** What was searched for. (Default: nothing) */
  query?: string;
}

/** Returns a page with the banner, and the contents beside the text: on a phone, below it. */
export function page({ title, content, contents = '', query = '' }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/pages.css">
<script src="/docs/copy.js" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
${banner(query)}
<div class="columns">
<main class="text" id="text">
${content}
</main>
${contents && `<nav class="contents" id="contents" aria-label="Contents">${contents}</nav>`}
</div>
</body>
</html>
`;
}

const banner = (query: string) => `<header class="banner">
<a class="name" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24">Payments API</a>
<nav aria-label="Documents"><a href="/docs">Quickstart</a><a href="/docs/reference">Reference</a><a href="/problems">Problems</a><a href="/openapi.json">OpenAPI</a></nav>
<form role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the documents" placeholder="Search" maxlength="100" value="${escapeHtml(query)}"><button>Search</button></form>
</header>`;
