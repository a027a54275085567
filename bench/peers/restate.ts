import { Pool } from 'undici';
import { loadPackage } from './modules.ts';
import { serve } from './route.ts';
import { openSteps, type Charge, type ChargeRequest } from './steps.ts';

/**
 * The process of Restate's service: its handler of three steps, which the server calls, and the bare route, which
 * calls the server's ingress with the idempotency key.
 */

interface RestateContext {
  request(): { headers: ReadonlyMap<string, string> };
  run<Result>(name: string, step: () => Promise<Result>): Promise<Result>;
}

/** As much of `@restatedev/restate-sdk` as is used here. */
interface RestateSdk {
  service(definition: {
    name: string;
    handlers: Record<string, (ctx: RestateContext, request: ChargeRequest) => Promise<Charge>>;
  }): object;
  serve(options: { services: object[]; port: number }): Promise<number>;
}

const restate = loadPackage('@restatedev/restate-sdk') as RestateSdk;
const steps = await openSteps();

const charges = restate.service({
  name: 'Charges',
  handlers: {
    async charge(ctx, request) {
      // The server keeps the idempotency key to itself.
      const key = ctx.request().headers.get('x-charge-key')!;
      const id = await ctx.run('claim', () => steps.claim(key, request));
      const outcome = await ctx.run('call', () => steps.call(id, request));
      return ctx.run('settle', () => steps.settle(id, outcome));
    },
  },
});

const port = await restate.serve({ services: [charges], port: 0 });
await register(`http://127.0.0.1:${port}`);

/** Tells the server where the handlers are. */
async function register(uri: string): Promise<void> {
  const answer = await fetch(`${process.env['RESTATE_ADMIN_URL']}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri }),
  });
  if (!answer.ok) throw new Error(`Restate did not register: ${answer.status} ${await answer.text()}`);
}

const ingress = new Pool(process.env['RESTATE_INGRESS_URL']!, { connections: 256 });

async function charge(key: string, request: ChargeRequest): Promise<Charge> {
  const { statusCode, body } = await ingress.request({
    method: 'POST',
    path: '/Charges/charge',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-charge-key': key },
    body: JSON.stringify(request),
  });
  if (statusCode !== 200) throw new Error(`Restate answered ${statusCode} ${await body.text()}`);
  return (await body.json()) as Charge;
}

await serve({ charge, countCalls: steps.countCalls });
