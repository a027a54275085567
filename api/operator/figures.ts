import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { readFigures, type ProcessMinute } from '#db/operator/figures.ts';
import { ProblemError } from '#domain/problems.ts';
import {
  addFigures,
  noFigures,
  quantileMs,
  type AnswerFigures,
  type ServiceFigures,
} from '#domain/figures/service.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorRead } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** What the processes of the service measured, minute by minute: queues, and calls of the processors. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The longest time of one answer. */
const longestMs = 6 * hourMs;

/** How old a figure of now may be. A worker writes every 15 s. */
const nowMs = 2 * minuteMs;

const age = z.number().min(0).describe('Of the task that waited longest, in seconds.').meta({ example: 0.8 });
const tasks = z.int().min(0).describe('Tasks that waited, about.').meta({ example: 2 });
const queueName = z.enum(['charges', 'operations', 'deliveries']).meta({
  id: 'QueueName',
  description: 'A task queue of Temporal, by its work.',
});

const queueFigures = z
  .strictObject({ name: queueName, tasks, age_seconds: age })
  .meta({ id: 'QueueFigures', description: 'A queue at its worst in the time.' });

const duration = z
  .int()
  .min(0)
  .nullable()
  .describe('In milliseconds, as the bound of its class; `null`: no call.');

const callFigures = z
  .strictObject({
    name: z.string().describe('The call of a processor.').meta({ example: 'charge' }),
    count: z.int().min(0).describe('Calls in the time.').meta({ example: 120 }),
    faults: z.int().min(0).describe('Calls without a usable answer.').meta({ example: 1 }),
    p50_ms: duration.meta({ example: 300 }),
    p95_ms: duration.meta({ example: 500 }),
  })
  .meta({ id: 'ProcessorCallFigures', description: 'The calls of a kind to all processors.' });

const point = z
  .strictObject({
    at: schemas.timestamp.describe('The beginning of the step.'),
    queues: z.array(queueFigures).max(10).describe('Queues that were measured.'),
    calls: z.array(callFigures).max(100).describe('Calls that were made.'),
    answers: schemas.answerFigures,
  })
  .meta({ id: 'ServiceFigures' });

const series = z
  .strictObject({
    object: z.literal('service_figures'),
    step_seconds: z.int().min(60).max(3_600).describe('The length of a step.').meta({ example: 60 }),
    data: z.array(point).max(360).describe('Oldest first. A step without figures is left out.'),
  })
  .meta({ id: 'ServiceFigureSeries' });

const queues = z
  .strictObject({
    object: z.literal('queues'),
    data: z.array(queueFigures).max(10).describe('Each queue, at its worst in the last two minutes.'),
  })
  .meta({ id: 'Queues' });

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-01T12:00:00Z' })
  .transform((text) => Date.parse(text))
  .optional();

export function operatorFigureRoutes(deps: Pick<ApiDeps, 'db'>): Route[] {
  const { db } = deps;

  const read = defineOperatorRead({
    path: '/operator/figures',
    operationId: 'getServiceFigures',
    summary: 'Read what the processes measured, step by step',
    description: 'At most 6 hours of the last 48. The last minute is not complete yet.',
    query: z.strictObject({
      from: time.describe('From this time on. (Default: an hour before `to`)'),
      to: time.describe('Before this time. (Default: now)'),
      step: z.enum(['1m', '5m', '1h']).default('1m').meta({
        id: 'ServiceFigureStep',
        description: 'The length of a step.',
      }),
    }),
    responses: { 200: { description: 'The figures', schema: series } },
    async handle({ query: { from, to = currentTimeMs(), step } }) {
      const stepMs = { '1m': minuteMs, '5m': 5 * minuteMs, '1h': hourMs }[step];
      const since = from ?? to - hourMs;
      if (since >= to || to - since > longestMs) {
        throw new ProblemError('invalid_parameter', {
          detail: '`from` must be before `to`, by 6 hours at most.',
        });
      }
      const begin = Math.floor(since / stepMs) * stepMs;
      const minutes = await readFigures(db, { from: new Date(begin), to: new Date(to) });
      const data = [...sumBySteps(minutes, stepMs)].map(([at, figures]) => presentPoint(at, figures));
      return { status: 200, body: { object: 'service_figures', step_seconds: stepMs / 1_000, data } };
    },
  });

  const now = defineOperatorRead({
    path: '/operator/queues',
    operationId: 'listQueues',
    summary: 'List the queues of work, as they are now',
    description:
      'As the workers saw them in the last two minutes. A queue that no worker reported is left out.',
    responses: { 200: { description: 'The queues', schema: queues } },
    async handle() {
      return { status: 200, body: { object: 'queues', data: presentQueues(await readLast(db, nowMs)) } };
    },
  });

  return [read, now];
}

/** Returns the answers of the last hour. */
export async function readAnswers(db: ApiDeps['db']): Promise<AnswerFigures> {
  return (await readLast(db, hourMs)).answers;
}

/** Returns what was measured in the last milliseconds, added up. */
async function readLast(db: ApiDeps['db'], lastMs: number): Promise<ServiceFigures> {
  const now = currentTimeMs();
  const minutes = await readFigures(db, { from: new Date(now - lastMs), to: new Date(now + minuteMs) });
  const sum = noFigures();
  for (const { figures } of minutes) addFigures(sum, figures);
  return sum;
}

/** Returns the sums by the beginning of their step, oldest first. */
function sumBySteps(minutes: readonly ProcessMinute[], stepMs: number): Map<number, ServiceFigures> {
  const sums = new Map<number, ServiceFigures>();
  for (const { minute, figures } of minutes) {
    const at = Math.floor(minute.getTime() / stepMs) * stepMs;
    const sum = sums.get(at) ?? noFigures();
    addFigures(sum, figures);
    sums.set(at, sum);
  }
  return sums;
}

function presentPoint(at: number, figures: ServiceFigures): z.output<typeof point> {
  const calls = Object.entries(figures.calls).map(([name, call]) => ({
    name,
    count: call.count,
    faults: call.faults,
    p50_ms: quantileMs(call, 0.5),
    p95_ms: quantileMs(call, 0.95),
  }));
  return {
    at: new Date(at).toISOString(),
    queues: presentQueues(figures),
    calls,
    answers: figures.answers,
  };
}

function presentQueues({ queues }: ServiceFigures): z.output<typeof queueFigures>[] {
  return queueName.options.flatMap((name) => {
    const found = queues[name];
    return found ? [{ name, tasks: found.tasks, age_seconds: found.ageSeconds }] : [];
  });
}
