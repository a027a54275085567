import { z } from 'zod';

/** Members that resources of several areas share. */

export const timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'Time',
  description: 'RFC 3339 in UTC, with milliseconds',
  example: '2026-11-01T12:00:00.000Z',
});

/** The merchant's own names and values, stored and returned unchanged. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, 'holds at most 50 keys')
  .meta({ id: 'Metadata', maxProperties: 50, example: { order: '6735' } });

/** The body of an action without parameters. */
export const emptyBody = z.strictObject({});
