import { apiVersions, currentVersion } from '#domain/versions.ts';
import { banner, page } from './html.ts';

/** Returns the page of GET /docs with the viewer, which `viewer.js` starts. */
export function docsPage(): string {
  const versions = apiVersions
    .toReversed()
    .map((version) => `<option${version === currentVersion ? ' selected' : ''}>${version}</option>`);
  return page({
    title: 'Payments API reference',
    head: '<link rel="stylesheet" href="/docs/swagger-ui.css">\n<link rel="stylesheet" href="/docs/viewer.css">',
    body: `${banner(`<label>Version <select id="version">${versions.join('')}</select></label>\n`)}
<main id="viewer"><noscript><p>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> does not.</p></noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/viewer.js"></script>`,
  });
}
