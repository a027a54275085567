import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Finds the metrics of the development server: a loopback port of its own choice, among those that its process listens
 * on. Returns `null` if it cannot be found.
 */
export async function findMetrics(pid: number): Promise<string | null> {
  for (const port of listeningPorts(pid)) {
    const url = `http://127.0.0.1:${port}/metrics`;
    if ((await fetchText(url))?.includes('\nservice_requests{')) return url;
  }
  return null;
}

/**
 * Returns requests so far to the part of Temporal that clients and workers call, by operation. Returns `null` without
 * metrics.
 */
export async function readRequests(url: string | null): Promise<Map<string, number> | null> {
  const text = url === null ? null : await fetchText(url);
  if (text === null) return null;
  const requests = new Map<string, number>();
  for (const [, labels = '', count] of text.matchAll(/^service_requests\{([^}]*)\} (\S+)$/gm)) {
    if (!labels.includes('service_name="frontend"')) continue;
    const operation = /operation="([^"]*)"/.exec(labels)?.[1] ?? 'unknown';
    requests.set(operation, (requests.get(operation) ?? 0) + Number(count));
  }
  return requests;
}

async function fetchText(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

const listening = '0A';

/** Returns the ports that a process listens on. Linux only: none elsewhere. */
function listeningPorts(pid: number): number[] {
  try {
    const fds = readdirSync(`/proc/${pid}/fd`);
    const sockets = new Set(fds.map((fd) => readSocket(`/proc/${pid}/fd/${fd}`)));
    const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
    return lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === listening && sockets.has(inode))
      .map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16));
  } catch {
    return [];
  }
}

function readSocket(fd: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(fd))?.[1];
  } catch {
    return undefined;
  }
}
