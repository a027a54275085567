import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Requests that `fetch` would tidy up: any header, any path, any bytes. */

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** @param options.path as it goes over the wire. A header given as an array is sent once for each value. */
export function sendRaw(
  url: string,
  options: {
    method?: string;
    path: string;
    headers?: Record<string, string | string[]>;
    body?: string | Buffer;
  },
): Promise<RawResponse> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { ...rest, agent: false }, (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then((content) => resolve({ status: statusCode, headers, text: content }), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Everything the server says to these bytes, until it closes the connection. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}
