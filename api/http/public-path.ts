/** Returns the path that all addresses of this service begin with; `''` if `PUBLIC_URL` has none. */
export function readPublicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
