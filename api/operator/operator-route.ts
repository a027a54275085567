import { z } from 'zod';
import { defineRoute, type Route } from '../http/route.ts';

/** Routes of operators: over all accounts, for tokens that name none. They have no versions, and are in no SDK. */

/** What every write of an operator tells. */
export const reason = z
  .string()
  .trim()
  .min(3)
  .max(500)
  .describe('Why, for the audit. No personal data.')
  .meta({ example: 'Ticket 4711: the processor says that it has decided.' });

export const reasonBody = z.strictObject({ reason }).meta({ id: 'OperatorReason' });

/** A route of operators, without what its method decides. */
type OperatorRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Status extends number,
> = Omit<Route<'operator', Params, Query, Body, Status>, 'caller' | 'method' | 'access'>;

/** Returns a route that reads. */
export function defineOperatorRead<
  Params extends z.ZodType = z.ZodType<unknown>,
  Query extends z.ZodType = z.ZodType<unknown>,
  Status extends number = number,
>(route: OperatorRoute<Params, Query, z.ZodType, Status>): Route {
  return defineRoute({ ...route, caller: 'operator', method: 'GET', access: 'operator:read' });
}

/** Returns a route that changes something. Its body names a reason, which the audit keeps. */
export function defineOperatorWrite<
  Params extends z.ZodType,
  Body extends z.ZodType<{ reason: string }>,
  Status extends number,
>(route: OperatorRoute<Params, z.ZodType, Body, Status> & { body: Body }): Route {
  return defineRoute({ ...route, caller: 'operator', method: 'POST', access: 'operator:write' });
}
