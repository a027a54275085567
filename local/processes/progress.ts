/** Does the work. Logs what is being done after 2 s, and again every 10 s. */
export async function withProgress<T>(
  what: () => string,
  log: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const began = Date.now();
  const say = () => log(`${what()} … ${Math.round((Date.now() - began) / 1_000)} s`);
  const first = setTimeout(say, 2_000);
  const later = setInterval(say, 10_000);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(later);
  }
}
