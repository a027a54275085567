import { spawnSync } from 'node:child_process';

/**
 * `npm run audit`: whether a package that runs in production has a known hole of high or critical severity; exits
 * with 1 then. Without an answer from the registry nothing is known, and that is a failure too, with 2: a registry that has no
 * advisories, or is away, must not look like one that knows of no hole.
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
  const reason = report.message ?? report.error?.summary ?? 'no reason given';
  console.log(
    `NOT AUDITED: the registry gave no advisories (${reason}). Run it again, or ask one that has them: npm_config_registry=https://registry.npmjs.org npm run audit`,
  );
  process.exitCode = 2;
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
