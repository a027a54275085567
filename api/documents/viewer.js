/* global SwaggerUIBundle, document, location */

/** Starts the viewer on the document of the version that is chosen; `?version=` keeps the choice. */
const select = document.querySelector('#version');
const asked = new URLSearchParams(location.search).get('version');
if ([...select.options].some((option) => option.value === asked)) select.value = asked;
select.addEventListener('change', () => {
  location.search = new URLSearchParams({ version: select.value }).toString();
});

/** Every answer carries a dozen headers: they open when asked for. */
function foldHeaders({ React: { createElement } }) {
  const fold = (Headers) => (props) =>
    createElement(
      'details',
      { className: 'response-headers' },
      createElement('summary', null, 'Headers'),
      createElement(Headers, props),
    );
  return { wrapComponents: { headers: fold } };
}

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  filter: true,
  // No validator elsewhere is asked.
  validatorUrl: null,
  plugins: [foldHeaders],
  requestInterceptor(request) {
    if (request.loadSpec) request.headers['API-Version'] = select.value;
    return request;
  },
});
