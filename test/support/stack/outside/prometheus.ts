import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '#local/processes/ports.ts';
import { eventually } from '../../eventually.ts';

/** A Prometheus that evaluates our alert rules over what our processes serve, in seconds where the rules say minutes. */
export interface Prometheus {
  /** The alerts that fire now. */
  firing(): Promise<Set<string>>;
  /** The alerts that fired at some moment since then, a time in milliseconds. */
  firedSince(time: number): Promise<Set<string>>;
  stop(): Promise<void>;
}

interface RuleFile {
  groups: { rules: { expr: string; for?: string }[] }[];
}

/** Of rates; longer than the longest fault. */
const rateRange = '10s';
/** Of what counts from its first appearance on. */
const range = '5s';
const interval = '500ms';

/** Where Debian's package puts it, or null. */
export function findPrometheus(): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'prometheus');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // It is not in this folder.
    }
  }
  return null;
}

/** The rules of the file with the same metrics and thresholds, over seconds, firing at once. */
function readShortRules(file: string): RuleFile {
  const rules = parse(readFileSync(file, 'utf8')) as RuleFile;
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    rule.expr = rule.expr
      .replaceAll('[5m]', `[${rateRange}]`)
      .replaceAll(/\[\d+[mhd]\]/g, `[${range}]`)
      .replaceAll(/offset \d+[mhd]/g, `offset ${range}`);
    delete rule.for;
  }
  return rules;
}

/** @param targets URLs of metrics, by the name of their job. */
export async function startPrometheus(
  program: string,
  rulesFile: string,
  targets: Record<string, string[]>,
): Promise<Prometheus> {
  const dir = mkdtempSync(join(tmpdir(), 'payments-prometheus-'));
  const port = await freePort();
  const jobs = Object.entries(targets).map(([job_name, urls]) => ({
    job_name,
    static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
  }));
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: [join(dir, 'rules.json')],
    scrape_configs: jobs,
  };
  // Its YAML may be JSON.
  writeFileSync(join(dir, 'rules.json'), JSON.stringify(readShortRules(rulesFile)));
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config));
  const args = [
    `--config.file=${join(dir, 'config.json')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));

  async function query(expression: string): Promise<Set<string>> {
    const parameters = new URLSearchParams({ query: expression });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${parameters}`);
    const { data } = (await answer.json()) as { data: { result: { metric: { alertname: string } }[] } };
    return new Set(data.result.map(({ metric }) => metric.alertname));
  }
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await eventually(
      'Prometheus is ready',
      async () => (await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => null))?.ok ?? false,
    );
  } catch (error) {
    await stop();
    throw new Error(`Prometheus did not start: ${Buffer.concat(said).toString()}`, { cause: error });
  }
  const alerts = 'ALERTS{alertstate="firing"}';
  return {
    firing: () => query(alerts),
    firedSince(time) {
      const seconds = Math.max(1, Math.floor((Date.now() - time) / 1_000));
      return query(`max_over_time(${alerts}[${seconds}s])`);
    },
    stop,
  };
}
