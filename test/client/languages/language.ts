/** What a check of a language's client is given. */
export interface Surroundings {
  /** The root of this repository. */
  root: string;
  /** An empty folder in `.local/`, for what is made on the way. */
  folder: string;
  /** `openapi.json`. */
  document: OpenApiDocument;
  /** Replace the committed files by what the document gives, instead of comparing them. */
  write: boolean;
  /** `FAULTS_URL` and `FAULTS_CASES`: the server of faults, and its cases. */
  faults: Record<string, string>;
  /** Asks the real stack, which starts with the first call: `PAYMENTS_URL` and the credentials. */
  stack: () => Promise<Record<string, string>>;
  log: (line: string) => void;
}

export interface Language {
  name: string;
  /** Generates, builds and tests. @throws {MissingProgram} where it cannot be. */
  check(surroundings: Surroundings): Promise<void>;
}

export interface OpenApiOperation {
  operationId: string;
  tags?: string[];
}

export interface OpenApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks?: unknown;
}

/** An operation of the document with its place. */
export interface PlacedOperation extends OpenApiOperation {
  method: string;
  path: string;
}

/** Returns the operations on resources: those of OAuth are apart, since the clients know them by themselves. */
export function listOperations(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => typeof operation === 'object' && 'operationId' in operation)
        .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    );
}

/** Returns the first block of code of a README in this language. @throws {Error} if there is none. */
export function findExample(readme: string, language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(readme)?.[1];
  if (code === undefined) throw new Error(`There is no example in ${language} in this README`);
  return code;
}
