import { toCall, type CallOptions, type CallPromise } from './calls.ts';
import type { Method, OperationInput, PathWith, ResultOf } from './document.ts';
import type { paths } from './schema.ts';
import { apiVersion } from './api-version.ts';
import type { Wire } from './wire.ts';

/** Sends the calls of resources, checked by the generated types. */
export class Caller {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Sends the request of an operation, in the version of the types unless the options name another. */
  send<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    input: OperationInput<paths[P][M]> = {},
    options: CallOptions = {},
  ): CallPromise<ResultOf<paths[P][M]>> {
    const { params, query, body } = input as { params?: object; query?: object; body?: unknown };
    const isWrite = method === 'post' || method === 'put' || method === 'patch';
    const answer = this.#wire.send<ResultOf<paths[P][M]>>(method.toUpperCase(), fillPath(path, params), {
      apiVersion,
      ...options,
      ...(query && { query }),
      ...(isWrite && { body: body ?? {} }),
    });
    return toCall(answer);
  }

  get wire(): Wire {
    return this.#wire;
  }
}

function fillPath(template: string, params: object = {}): string {
  const values = params as Record<string, string>;
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** The base of all resources. */
export abstract class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}
