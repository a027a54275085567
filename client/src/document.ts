import type { components, operations, paths } from './schema.ts';

/** Reads bodies and answers out of the generated types. */

export type Schemas = components['schemas'];

/** The operations of the document, by their id. */
export type OperationName = keyof operations;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The path templates that have this method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

/** The path, query and body of an operation's request. */
export interface OperationInput<Operation> {
  params?: Operation extends { parameters: { path: infer Params } } ? Params : never;
  query?: QueryOf<Operation>;
  body?: BodyOf<Operation>;
}

/** The query parameters of an operation. */
export type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never;

/** The body of an operation's request. */
export type BodyOf<Operation> = Operation extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: infer Content }
    ? Content[keyof Content]
    : never
  : never;

type Success = 200 | 201 | 202;

/** The body of an operation's success; `void` where there is none. */
export type ResultOf<Operation> = Operation extends { responses: infer Answers }
  ? [keyof Answers & Success] extends [never]
    ? void
    : ContentOf<Answers[keyof Answers & Success]>
  : never;

type ContentOf<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;

export type Query<Name extends OperationName> = QueryOf<operations[Name]>;
export type Body<Name extends OperationName> = BodyOf<operations[Name]>;
export type Result<Name extends OperationName> = ResultOf<operations[Name]>;
