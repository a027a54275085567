import { readFileSync } from 'node:fs';
import { connect, constants, createSecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certificates } from './certificates.ts';

/** What stands before a gRPC server that speaks no TLS: it asks for a client's certificate, and notes who called. */
export interface TlsFront {
  /** `localhost:port`. */
  address: string;
  /** The `authorization` of every call so far; undefined for a call without one. */
  authorizations: Set<string | undefined>;
  close(): Promise<void>;
}

/** @param target HOST:PORT of the plain server. */
export async function startTlsFront(target: string, { ca, server }: Certificates): Promise<TlsFront> {
  const authorizations = new Set<string | undefined>();
  const sessions = new Set<Http2Session>();
  const onward = connect(`http://${target}`, { maxSessionMemory: 100 });
  onward.on('error', () => undefined);
  const front = createSecureServer({
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    ca: readFileSync(ca),
    requestCert: true,
    rejectUnauthorized: true,
    maxSessionMemory: 100,
  });
  front.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined).on('close', () => sessions.delete(session));
  });
  front.on('stream', (near, headers) => {
    authorizations.add(headers.authorization);
    const far = onward.request({ ...headers, ':scheme': 'http' });
    let trailers = {};
    near.on('error', () => undefined).on('close', () => far.close(constants.NGHTTP2_CANCEL));
    near.on('wantTrailers', () => near.sendTrailers(trailers));
    near.pipe(far);
    far.on('error', () => near.close(constants.NGHTTP2_CANCEL));
    far.on('trailers', (last) => (trailers = last));
    far.on('response', (answer, flags) => {
      if (near.closed) return;
      // An answer that is an error alone has all in its head.
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      near.respond(answer, { endStream, waitForTrailers: !endStream });
      if (!endStream) far.pipe(near);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, 'localhost', resolve));
  return {
    address: `localhost:${(front.address() as AddressInfo).port}`,
    authorizations,
    async close() {
      for (const session of sessions) session.destroy();
      onward.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
