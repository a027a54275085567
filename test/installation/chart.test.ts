import { taskQueues } from '#temporal/queues.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { consoleSettings, readConsoleConfig } from '#console/config.ts';
import { serviceSettings } from '#startup/settings/service.ts';
import { listSettings } from '#startup/settings/setting.ts';
import { entries } from '#local/programs.ts';
import { readConfig } from '#startup/config.ts';
import { environment } from '../support/stack/environment.ts';

/** What the Helm chart says, held to the product. `test/chart/check.sh` holds it to Kubernetes. */

interface Container {
  command: string[];
  env: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    securityContext: Record<string, unknown>;
    terminationGracePeriodSeconds: number;
    automountServiceAccountToken: boolean;
  };
}
/** An object of Kubernetes, as far as the tests read it. */
interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
  data?: Record<string, string>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const helm = [join(root, '.local/bin/helm'), '/usr/local/bin/helm', '/usr/bin/helm'].find((path) =>
  existsSync(path),
);
const chart = 'deploy/helm/payments';

/** Returns the objects of an example. @throws what Helm says. */
function render(example: string, ...more: string[]): Manifest[] {
  const values = `${chart}/examples/${example}.yaml`;
  const text = execFileSync(
    helm!,
    ['template', 'payments', chart, '--kube-version', '1.37.0', '--values', values, ...more],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** What stands in the Secrets. */
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgres://payments:secret@db.example/payments',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  PROCESSOR_SECRET: 'a-secret-of-the-processor',
  CONSOLE_KEY: Buffer.alloc(32).toString('base64'),
  CONSOLE_CLIENT_SECRET: 'a-secret-of-the-console',
  CONSOLE_OIDC_CLIENT_SECRET: 'a-secret-at-the-provider',
};

/** The environment of a container, with the secrets that its files hold. */
const environmentIn = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(
    env
      .map(({ name, value }): [string, string] =>
        name.endsWith('_FILE') ? [name.slice(0, -5), secrets[name.slice(0, -5)] ?? ''] : [name, value],
      )
      // The files of an authority are not on this machine.
      .filter(([name]) => name !== 'TEMPORAL_TLS_CA'),
  );

// `npm run lint:chart` installs it, where Go is, and says where it is not.
if (helm) describe('The Helm chart', holdChart);

function holdChart(): void {
  let full: Manifest[] = [];
  let small: Manifest[] = [];
  let templates: Map<string, PodTemplate>;
  before(() => {
    full = render('full');
    small = render('small');
    templates = new Map(full.flatMap((one) => podTemplates(one)));
  });

  const pick = <Spec>(kind: string, of = full) =>
    of.filter((one) => one.kind === kind).map((one) => ({ name: one.metadata.name, spec: one.spec as Spec }));
  const container = (component: string) => templates.get(component)!.spec.containers[0]!;

  it('starts every process with a program that exists', () => {
    const commands = [...templates].map(([name]) => [name, container(name).command.slice(1).join(' ')]);
    const compiled = (entry: string) => `--enable-source-maps dist/deployed/${entry.replace(/ts$/, 'js')}`;
    assert.deepEqual(Object.fromEntries(commands), {
      api: compiled(entries.api),
      worker: compiled(entries.worker),
      console: compiled(entries.console),
      migrate: '--import tsx admin/migrate.ts',
      namespace: '--import tsx local/temporal/namespace.ts',
      'rotate-keys': '--import tsx admin/main.ts keys rotate',
    });
    for (const path of ['admin/migrate.ts', 'local/temporal/namespace.ts', 'admin/main.ts'])
      assert.ok(existsSync(join(root, path)), path);
  });

  it('sets only settings that the documents explain', () => {
    const explained = read('docs/settings.md');
    for (const component of templates.keys()) {
      const table = component === 'console' ? consoleSettings : serviceSettings;
      const known = new Set(listSettings(table).map(({ name }) => name));
      // Of Node itself.
      known.add('NODE_OPTIONS');
      for (const { name } of container(component).env) {
        const setting = name.replace(/_FILE$/, '');
        assert.ok(known.has(setting), `${component}: ${name}`);
        assert.ok(
          setting === 'NODE_OPTIONS' || explained.includes(`\`${setting}\``),
          `${component}: ${name}`,
        );
      }
    }
  });

  it('gives settings that each process accepts', () => {
    const smallTemplates = new Map(small.flatMap((one) => podTemplates(one)));
    for (const all of [templates, smallTemplates]) {
      for (const [name, template] of all) {
        const env = environmentIn(template.spec.containers[0]!);
        const config = name === 'console' ? readConsoleConfig(env) : readConfig(env);
        const ports = Object.fromEntries(
          (template.spec.containers[0]!.ports ?? []).map((port) => [port.name, port.containerPort]),
        );
        if ('http' in ports) assert.equal(config.port, ports['http'], name);
        if ('metrics' in ports) assert.deepEqual(config.metrics, { host: '0.0.0.0', port: ports['metrics'] });
      }
    }
  });

  it('lets the console find the API', () => {
    const { apiUrl } = readConsoleConfig(environmentIn(container('console')));
    const services = pick<{ ports: { port: number }[] }>('Service');
    const { hostname, port } = new URL(apiUrl);
    assert.equal(services.find(({ name }) => name === hostname)?.spec.ports[0]?.port, Number(port));
  });

  it('probes what API and worker serve', async () => {
    const { stack } = await environment();
    const bases: Record<string, Record<string, string>> = {
      api: { http: stack.apiUrl },
      worker: { metrics: new URL(stack.metricsUrls.worker).origin },
    };
    for (const [component, base] of Object.entries(bases)) {
      const { startupProbe, livenessProbe, readinessProbe } = container(component);
      for (const probe of [startupProbe!, livenessProbe!, readinessProbe!]) {
        const { status } = await fetch(`${base[probe.httpGet.port]}${probe.httpGet.path}`);
        assert.equal(status, 200, `${component} ${probe.httpGet.path}`);
      }
    }
    const { livenessProbe, readinessProbe } = container('console');
    assert.deepEqual(
      [livenessProbe!.httpGet.path, readinessProbe!.httpGet.path],
      ['/livez', '/readyz'],
      'as console/serving/plain-routes.ts',
    );
  });

  it('gives each process the time to stop', () => {
    const api = readConfig(environmentIn(container('api')));
    const console = readConsoleConfig(environmentIn(container('console')));
    const needed = {
      api: api.shutdownDrainMs + api.syncWindowMs + 2_000,
      // As docs/operations.md says.
      worker: 8_000,
      console: console.shutdownDrainMs + 2 * console.apiTimeoutMs + 2_000,
    };
    for (const [name, ms] of Object.entries(needed)) {
      const graceMs = templates.get(name)!.spec.terminationGracePeriodSeconds * 1_000;
      assert.ok(graceMs > ms && graceMs <= ms + 8_000, `${name}: ${graceMs}`);
    }
    // A pod is out of its Service before it stops listening.
    assert.ok(api.shutdownDrainMs >= 2_000 * container('api').readinessProbe!.periodSeconds);
  });

  it('runs as an ordinary user on read-only files', () => {
    for (const [name, { spec }] of templates) {
      const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext;
      assert.deepEqual(
        [runAsNonRoot, runAsUser, seccompProfile],
        [true, 1000, { type: 'RuntimeDefault' }],
        name,
      );
      assert.equal(spec.automountServiceAccountToken, false, name);
      assert.deepEqual(
        container(name).securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        name,
      );
      assert.ok(
        container(name).resources.limits['memory'] && container(name).resources.requests['cpu'],
        name,
      );
    }
  });

  it('refuses values that hold a secret', () => {
    assert.deepEqual(pick('Secret'), []);
    for (const name of Object.keys(secrets)) {
      const part = name.startsWith('CONSOLE') ? 'console.settings' : 'settings';
      assert.throws(() => render('small', '--set', `${part}.${name}=secret`), /values don't meet/, name);
    }
  });

  it('refuses results that no other process sees', () => {
    assert.throws(() => render('small', '--set', 'settings.BLOB_S3_BUCKET='), /must see the same results/);
  });

  it('keeps as many pods as before during a rollout', () => {
    const deployments = pick<{ strategy: unknown; replicas?: number }>('Deployment', small);
    assert.equal(deployments.length, 2);
    for (const { name, spec } of deployments) {
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
      assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate }, name);
      assert.ok((spec.replicas ?? 0) >= 2, name);
    }
  });

  it('migrates before anything of a release starts', () => {
    const hooks = pick('Job').map(({ name }) => full.find((one) => one.metadata.name === name)!.metadata);
    assert.deepEqual(
      hooks.map(({ name, annotations }) => [
        name,
        annotations?.['helm.sh/hook'],
        annotations?.['helm.sh/hook-weight'],
      ]),
      [
        ['payments-migrate', 'pre-install,pre-upgrade', '0'],
        ['payments-namespace', 'pre-install,pre-upgrade', '1'],
      ],
    );
  });

  it('scales workers by ages that they report', () => {
    const [, worker] = pick<{
      metrics: { external: { metric: { name: string; selector: { matchLabels: { queue: string } } } } }[];
    }>('HorizontalPodAutoscaler');
    const metrics = worker!.spec.metrics.map(({ external }) => external.metric);
    const queues = metrics.map(({ selector }) => selector.matchLabels.queue);
    assert.deepEqual(new Set(queues), new Set<string>(Object.values(taskQueues)));
    for (const { name } of metrics) {
      assert.match(read('telemetry/queue-metrics.ts'), new RegExp(`'${name}'`));
      assert.match(read('docs/metrics.md'), new RegExp(`\`${name}\``));
    }
  });

  it('carries the alerts and the dashboard of deploy', () => {
    const [rule] = pick<{ groups: unknown[] }>('PrometheusRule');
    assert.deepEqual(rule!.spec, parse(read('deploy/prometheus/alerts.yml')));
    const dashboard = full.find(({ kind }) => kind === 'ConfigMap')!.data!['payments.json']!;
    assert.deepEqual(JSON.parse(dashboard), JSON.parse(read('deploy/grafana/payments.json')));
  });

  it('names the jobs of Prometheus as alerts do', () => {
    const monitors = pick<{ endpoints: { relabelings: { targetLabel: string; replacement: string }[] }[] }>(
      'ServiceMonitor',
    );
    const jobs = monitors.map(({ spec }) => spec.endpoints[0]!.relabelings[0]!);
    assert.deepEqual(
      jobs.map(({ targetLabel, replacement }) => `${targetLabel}=${replacement}`),
      ['job=payments-api', 'job=payments-worker', 'job=payments-console'],
    );
    assert.match(read('deploy/prometheus/alerts.yml'), /job=~"payments-api\|payments-worker"/);
  });

  it('bounds the network of every pod', () => {
    const policies = pick<{ podSelector: { matchLabels: Record<string, string> }; policyTypes: string[] }>(
      'NetworkPolicy',
    );
    const all = policies.find(({ name }) => name === 'payments-default')!.spec;
    assert.deepEqual(all.policyTypes, ['Ingress', 'Egress']);
    for (const [name, { metadata }] of templates)
      for (const [label, value] of Object.entries(all.podSelector.matchLabels))
        assert.equal(metadata.labels[label], value, name);
  });
}

/** Returns the pods that an object makes, with the name of their component. */
function podTemplates({ spec }: Manifest): [string, PodTemplate][] {
  const job = (spec?.['jobTemplate'] as { spec?: Record<string, unknown> } | undefined)?.spec;
  const template = (spec?.['template'] ?? job?.['template']) as PodTemplate | undefined;
  return template ? [[template.metadata.labels['app.kubernetes.io/component']!, template]] : [];
}
