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

export interface OpenApiDocument {
  webhooks?: unknown;
}

/** Returns the blocks of code of a README in this language. @throws {Error} if there is none. */
export function findExamples(readme: string, language: string): string[] {
  const blocks = readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  const codes = [...blocks].map(([, code = '']) => code);
  if (codes.length === 0) throw new Error(`There is no example in ${language} in this README`);
  return codes;
}
