/** The version of the API that the types of this package are of. `npm run openapi` writes it. */
export const apiVersion = '2026-11-01';
