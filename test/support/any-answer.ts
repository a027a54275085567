import { ProblemError, type Answer, type Payments, type RequestOptions } from '#client/src/index.ts';

/** Sends any request of a client, and returns its answer, a problem too. @throws {ConnectionError} */
export async function anyAnswer<Body = unknown>(
  client: Payments,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Answer<Body>> {
  try {
    return await client.request<Body>(method, path, options);
  } catch (error) {
    if (error instanceof ProblemError) return error.answer as Answer<Body>;
    throw error;
  }
}
