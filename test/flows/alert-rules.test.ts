import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { scrape } from '../support/metrics.ts';
import { readStatements } from '../support/runbooks.ts';
import { environment } from '../support/stack/environment.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const { panels } = JSON.parse(readFileSync('deploy/grafana/payments.json', 'utf8')) as Dashboard;

/** Fails for an expression with a metric that no process of the shared stack serves. */
async function assertServed(expressions: { of: string; expr: string }[]): Promise<void> {
  const { metricsUrls } = (await environment()).stack;
  const { text } = await scrape(metricsUrls.api, metricsUrls.worker);
  for (const { of, expr } of expressions) {
    for (const name of expr.match(/(?:payments|nodejs|process)_\w+/g) ?? []) {
      const metric = name.replace(/_(?:bucket|count)$/, '');
      assert.match(text, new RegExp(`^# TYPE (?:${name}|${metric}) `, 'm'), of);
    }
  }
}

describe('The dashboard', () => {
  it('draws only metrics that a process serves', async () => {
    const drawn = panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ of: title, expr })),
    );
    assert.ok(drawn.length >= panels.length - 5);
    await assertServed(drawn);
  });
});

describe('Alert rules', () => {
  it('name only metrics that a process serves', () =>
    assertServed(rules.map(({ alert, expr }) => ({ of: alert, expr }))));

  it('lead each to a page of its own', () => {
    const pages = readdirSync('docs/runbooks').map((page) => `docs/runbooks/${page}`);
    const ofAlerts = pages.filter((page) => !readFileSync(page, 'utf8').includes('No alert leads here.'));
    assert.deepEqual(rules.map(({ annotations }) => annotations.runbook).toSorted(), ofAlerts.toSorted());
    for (const { alert, annotations } of rules) {
      assert.ok(existsSync(annotations.runbook), alert);
      const page = readFileSync(annotations.runbook, 'utf8');
      assert.ok(page.includes(`Alert \`${alert}\``), annotations.runbook);
      for (const part of ['## What it means', '## What to look at', '## What to do'])
        assert.ok(page.includes(part), `${annotations.runbook}: ${part}`);
    }
  });

  it('lead to pages that name metrics that a process serves', () =>
    assertServed(
      rules.map(({ alert, annotations }) => ({ of: alert, expr: readFileSync(annotations.runbook, 'utf8') })),
    ));

  it('lead to pages whose statements Postgres runs', async () => {
    const { db } = await environment();
    const statements = rules.flatMap(({ annotations }) => readStatements(annotations.runbook));
    assert.equal(statements.length, 3);
    for (const statement of statements) await db.raw(statement);
  });

  it('lead to pages that say how they were followed', () => {
    for (const { annotations } of rules)
      assert.match(
        readFileSync(annotations.runbook, 'utf8'),
        /## How it was followed\n\n\S/,
        annotations.runbook,
      );
  });

  it('have each a case that promtool tests', () => {
    const cases = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    for (const { alert } of rules)
      assert.match(cases, new RegExp(`alertname: ${alert}\\s+exp_alerts: *(?:&\\w+)?\\n`), alert);
  });
});
