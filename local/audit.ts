import { spawnSync } from 'node:child_process';

/**
 * `npm run audit`: whether a package that runs in production has a known hole of high or critical severity; exits
 * with 1 then. Without an answer from the registry nothing is known, and nothing fails: not every registry has
 * advisories, and one that is away must not keep a repair from landing. It says so.
 */

interface Report {
  metadata?: { vulnerabilities: Record<string, number> };
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
  message?: string;
  error?: { summary?: string };
}

const failing = new Set(['high', 'critical']);

function audit(): Report {
  const npm = process.env['npm_execpath'];
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=30000'];
  const [program, all] = npm ? [process.execPath, [npm, ...args]] : ['npm', args];
  const { stdout, error } = spawnSync(program, all, { encoding: 'utf8', timeout: 120_000 });
  if (error) return { message: error.message };
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    return { message: 'npm answered no report' };
  }
}

const report = audit();
if (!report.metadata) {
  console.log(
    `NOT AUDITED: the registry gave no advisories (${report.message ?? report.error?.summary ?? 'no reason given'})`,
  );
} else {
  const bad = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => failing.has(severity));
  for (const { name, severity, range } of bad) console.log(`${severity}: ${name} ${range}`);
  const counts = Object.entries(report.metadata.vulnerabilities);
  const found = counts.filter(([level, count]) => level !== 'total' && count > 0);
  console.log(
    `audited: ${found.map(([level, count]) => `${count} ${level}`).join(', ') || 'no known holes'}`,
  );
  process.exitCode = bad.length > 0 ? 1 : 0;
}
