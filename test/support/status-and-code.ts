/** Returns an answer's status, and the code of its problem: `undefined` where it is none. */
export function toStatusAndCode({
  status,
  body,
}: {
  status: number;
  body: unknown;
}): [number, string | undefined] {
  return [status, (body as { code?: string } | null)?.code];
}
