import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';

/** An OpenAPI 3.1 document, as far as this code needs to know it. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string; [member: string]: unknown };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, object>;
    [kind: string]: object;
  };
  [member: string]: unknown;
}
