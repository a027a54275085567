import { ulid } from 'ulid';
import { formatId, type IdKind } from '../domain/ids.ts';

/** A fresh id: the time now and 80 bits from the system's random source, never counted up. */
export function newId(kind: IdKind): string {
  return formatId(kind, ulid());
}
