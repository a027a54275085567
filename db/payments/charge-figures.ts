import { figureSteps, type FigureRange } from '#domain/figures/steps.ts';
import { alphabet, idTime } from '#domain/ids.ts';
import { currentTimeMs } from '../clock.ts';
import { addFigures, chargeFigures } from '../figures.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Charges counted by minute and by what became of them. They are rolled up from events, so that no charge pays for them.
 * Each charge has one event of its end, so it counts once.
 *
 * Each account has a mark: the sequence up to which its events are counted. Figures and mark change in one statement that
 * holds the mark, so each event counts once, however often this runs, and in however many processes. No event is passed by:
 * who sees a sequence sees each lower one (`effects.ts`).
 */

/** Accounts of one statement, and events of one account in it. */
const [accountsAtOnce, eventsAtOnce] = [20, 500];

/**
 * Counts the events that are not counted yet.
 *
 * @param isOver asked after each statement; `true` ends it early, and the next call goes on.
 * @returns the number of events read.
 * @throws {AggregateError} if accounts failed, after all others.
 */
export async function rollUpCharges(db: Database, isOver: () => boolean = () => false): Promise<number> {
  let done = 0;
  for (;;) {
    const accounts = await findAccountsWithNews(db);
    const errors: Error[] = [];
    let counted = 0;
    for (let at = 0; at < accounts.length && !isOver(); at += accountsAtOnce) {
      const piece = accounts.slice(at, at + accountsAtOnce);
      counted += await countNews(db, piece).catch(() => countOneByOne(db, piece, errors));
    }
    done += counted;
    // Nothing counted: another process has these accounts, or they fail.
    if (counted > 0 && !isOver()) continue;
    if (errors.length > 0) throw new AggregateError(errors, 'figures of some accounts cannot be rolled up');
    return done;
  }
}

/** Counts accounts of which one fails: which one is not known, and it does not hold up the others. */
async function countOneByOne(db: Database, accounts: readonly string[], errors: Error[]): Promise<number> {
  let counted = 0;
  for (const account of accounts)
    counted += await countNews(db, [account]).catch((cause: unknown) => {
      errors.push(new Error(`the charges of ${account} cannot be counted`, { cause }));
      return 0;
    });
  return counted;
}

/** Returns how old the oldest event is that is not counted, in milliseconds; 0: all are. */
export async function readFigureLag(db: Database): Promise<number> {
  const [row] = await prepared<{ id: string | null }>(
    db,
    'read-figure-lag',
    `select min(e.id) as id
     from account_sequences s left join charge_figure_marks m on m.account_id = s.account_id
     cross join lateral (
       select id from events where account_id = s.account_id and sequence > coalesce(m.sequence, 0)
       order by sequence limit 1
     ) e
     where s.sequence > coalesce(m.sequence, 0)`,
    [],
  );
  return row?.id ? Math.max(0, currentTimeMs() - idTime(row.id)) : 0;
}

/**
 * Returns the accounts whose counter is beyond their mark, and makes the marks that are missing. It reads two small tables in
 * full: less than a look at the events of the last seconds, and exact however late an event commits.
 */
async function findAccountsWithNews(db: Database): Promise<string[]> {
  const rows = await prepared<{ accountId: string }>(
    db,
    'find-accounts-with-news',
    `with news as materialized (
       select s.account_id, m.account_id is null as is_fresh
       from account_sequences s left join charge_figure_marks m on m.account_id = s.account_id
       where s.sequence > coalesce(m.sequence, 0)
     ), marked as (
       insert into charge_figure_marks (account_id)
       select account_id from news join accounts on id = account_id where is_fresh order by 1 on conflict do nothing
     )
     select account_id from news order by 1`,
    [],
  );
  return rows.map(({ accountId }) => accountId);
}

/** The time in an event's id, which merchants read as that of the event: ten letters after `evt_`, of five bits each. */
const eventTime = `to_timestamp((
  select sum((strpos('${alphabet}', substr(e.id, 5 + n, 1)) - 1) * 32::float8 ^ (9 - n)) from generate_series(0, 9) as n
) / 1000)`;

/**
 * Counts events of some accounts, and moves each mark to the last event that was read; to the account's counter where no
 * event is left, or none is kept. Leaves out accounts that another process counts now. Returns the number of events.
 */
async function countNews(db: Database, accountIds: readonly string[]): Promise<number> {
  const [row] = await prepared<{ events: number }>(db, 'count-charge-news', countNewsSql, [
    accountIds,
    eventsAtOnce,
  ]);
  return row?.events ?? 0;
}

const countNewsSql = `
  with marks as materialized (
    select account_id, sequence from charge_figure_marks
    where account_id = any($1::text[]) order by account_id for update skip locked
  ), news as materialized (
    select m.account_id, s.sequence as counter, e.*
    from marks m join account_sequences s on s.account_id = m.account_id
    left join lateral (
      select sequence, id, type, object from events
      where account_id = m.account_id and sequence > m.sequence order by sequence limit $2
    ) e on true
  ), outcomes as (
    select e.account_id, ${eventTime} as at, e.object->>'currency' as currency, 1 as count,
      case e.type when 'charge.failed' then case f.code when 'card_declined' then 'declined' else 'failed' end
        else substr(e.type, length('charge.') + 1) end as outcome,
      case when e.type <> 'charge.failed' then ''
        when f.code = 'card_declined' then coalesce(e.object->'failure'->>'decline_code', 'generic_decline')
        else coalesce(f.code, 'unknown') end as reason,
      (e.object->>case e.type when 'charge.succeeded' then 'amount_captured' else 'amount' end)::numeric as amount
    from news e cross join lateral (select e.object->'failure'->>'code' as code) f
    where e.type in ('charge.authorized', 'charge.succeeded', 'charge.failed', 'charge.cancelled')
      and e.object->>'currency' is not null
  ), added as (${addFigures(chargeFigures, 'minute', 'outcomes')}
  ), read as (
    select account_id, count(sequence) as events,
      case when count(sequence) < $2 then max(counter) else max(sequence) end as last
    from news group by 1
  ), moved as (
    update charge_figure_marks m set sequence = r.last
    from read r where m.account_id = r.account_id and m.sequence < r.last
  )
  select coalesce(sum(events), 0)::int as events from read`;

/** A figure of one step, currency, outcome and reason. */
export interface ReadChargeFigure {
  /** The beginning of the step. */
  at: Date;
  currency: string;
  outcome: 'authorized' | 'succeeded' | 'declined' | 'failed' | 'cancelled';
  /** The decline code, or the code of the failure; empty for other outcomes. */
  reason: string;
  count: number;
  /** Minor units, at most 2^53 - 1: a larger sum reads as that. */
  amount: number;
}

/** Returns the account's figures of a range, oldest first, and the sequence of the last event that is counted. */
export async function readChargeFigures(
  db: Database,
  accountId: string,
  { step, from, to }: FigureRange,
): Promise<{ figures: ReadChargeFigure[]; upToSequence: number }> {
  // One statement reads figures and mark, so that they fit together.
  type Json = Omit<ReadChargeFigure, 'at'> & { at: string };
  const [row] = await prepared<{ figures: Json[]; upToSequence: number }>(
    db,
    'read-charge-figures',
    `select coalesce((select sequence from charge_figure_marks where account_id = $1), 0) as up_to_sequence,
       (select coalesce(json_agg(f), '[]') from (
          select date_trunc($2, at, 'UTC') as at, currency, outcome, reason, sum(count) as count,
            least(sum(amount), ${Number.MAX_SAFE_INTEGER}) as amount
          from charge_figures where account_id = $1 and at >= $3 and at < $4
          group by 1, 2, 3, 4 order by 1, 2, 3, 4
        ) f) as figures`,
    [accountId, figureSteps[step].unit, from, to],
  );
  const figures = row?.figures.map((figure) => ({ ...figure, at: new Date(figure.at) })) ?? [];
  return { figures, upToSequence: row?.upToSequence ?? 0 };
}
