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

/** Returns a page; `head` and `body` are HTML already. */
export function page({ title, head, body }: { title: string; head: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/pages.css">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Returns the line at the top of every page. */
export const banner = (extra = '') => `<header class="banner">
<a class="name" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24">Payments API</a>
<nav><a href="/docs">Reference</a><a href="/problems">Problems</a><a href="/openapi.json">OpenAPI</a></nav>
${extra}</header>`;
