import {
  countCharges,
  countedEventTypes,
  type ChargeFigure,
  type CountedEvent,
} from '#domain/figures/charges.ts';
import { figureSteps, type FigureRange } from '#domain/figures/steps.ts';
import { idTime } from '#domain/ids.ts';
import { currentTimeMs } from '../clock.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Charges counted by minute. They are rolled up from events, so that no charge pays for them.
 *
 * Each account has a mark: the sequence up to which its events are counted. Figures and mark change in one transaction that
 * holds the mark, so each event counts once, however often this runs, and in however many processes. No event is passed by:
 * who sees a sequence sees each lower one (`effects.ts`).
 */

/** Accounts of one transaction, and events of one account in it. */
const [accountsAtOnce, eventsAtOnce] = [20, 500];

/**
 * Counts the events that are not counted yet.
 *
 * @param isOver asked after each transaction; `true` ends it early, and the next call goes on.
 * @returns the number of events read.
 * @throws {AggregateError} if accounts failed, after all others.
 */
export async function rollUpCharges(db: Database, isOver: () => boolean = () => false): Promise<number> {
  let done = 0;
  for (;;) {
    const accounts = await findAccountsWithNews(db);
    if (accounts.length === 0) return done;
    const { counted, errors } = await rollUpInPieces(db, accounts, isOver);
    done += counted;
    // Nothing counted: another process has these accounts, or they fail.
    if (counted > 0 && !isOver()) continue;
    if (errors.length > 0) throw new AggregateError(errors, 'figures of some accounts cannot be rolled up');
    return done;
  }
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

/** Accounts that fail do not hold up the others. Returns an error for each of them. */
async function rollUpInPieces(
  db: Database,
  accounts: readonly string[],
  isOver: () => boolean,
): Promise<{ counted: number; errors: unknown[] }> {
  let counted = 0;
  const errors: unknown[] = [];
  async function rollUp(piece: readonly string[]): Promise<void> {
    try {
      counted += await rollUpAccounts(db, piece);
    } catch (cause) {
      const [account, ...others] = piece;
      if (others.length === 0)
        errors.push(new Error(`the charges of ${account} cannot be counted`, { cause }));
      // Which of them fails is not known, so each is counted alone.
      else for (const alone of piece) if (!isOver()) await rollUp([alone]);
    }
  }
  for (let at = 0; at < accounts.length && !isOver(); at += accountsAtOnce)
    await rollUp(accounts.slice(at, at + accountsAtOnce));
  return { counted, errors };
}

/**
 * Returns the accounts whose counter is beyond their mark. It reads two small tables in full: less than a look at the
 * events of the last seconds, and exact however late an event commits.
 */
async function findAccountsWithNews(db: Database): Promise<string[]> {
  const rows = await prepared<{ accountId: string; isNew: boolean }>(
    db,
    'find-accounts-with-news',
    `select s.account_id, m.account_id is null as is_new
     from account_sequences s left join charge_figure_marks m on m.account_id = s.account_id
     where s.sequence > coalesce(m.sequence, 0) order by s.account_id`,
    [],
  );
  const fresh = rows.filter(({ isNew }) => isNew).map(({ accountId }) => accountId);
  if (fresh.length > 0) {
    await prepared(
      db,
      'insert-charge-figure-marks',
      `insert into charge_figure_marks (account_id)
       select id from accounts where id = any($1::text[]) order by id on conflict do nothing`,
      [fresh],
    );
  }
  return rows.map(({ accountId }) => accountId);
}

/** An event of an account, or none. Members of {@link CountedEvent} are `null` where it tells no outcome. */
type NewsRow = { accountId: string; counter: number; sequence: number | null } & (
  CountedEvent | { currency: null }
);

/** Counts events of some accounts. Those that another process counts now are left out. Returns the number of events. */
function rollUpAccounts(db: Database, accountIds: readonly string[]): Promise<number> {
  return db.transaction(async (transaction) => {
    const marks = await prepared<{ accountId: string; sequence: number }>(
      transaction,
      'lock-charge-figure-marks',
      `select account_id, sequence from charge_figure_marks
       where account_id = any($1::text[]) order by account_id for update skip locked`,
      [accountIds],
    );
    if (marks.length === 0) return 0;
    const rows = await prepared<NewsRow>(transaction, 'read-charge-news', newsSql, [
      marks.map(({ accountId }) => accountId),
      marks.map(({ sequence }) => sequence),
      eventsAtOnce,
      countedEventTypes,
    ]);
    await addFigures(transaction, countCharges(rows.filter((row) => row.currency !== null)));
    await moveMarks(transaction, rows);
    return rows.filter(({ sequence }) => sequence !== null).length;
  });
}

/** All events of the accounts beyond their marks; what is counted of those that say an outcome. */
const newsSql = `
  select m.account_id, s.sequence as counter, e.sequence, e.id, c.*
  from unnest($1::text[], $2::bigint[]) as m (account_id, sequence)
  join account_sequences s on s.account_id = m.account_id
  left join lateral (
    select sequence, id, type, object from events
    where account_id = m.account_id and sequence > m.sequence order by sequence limit $3
  ) e on true
  left join lateral (
    select e.type, e.object->>'currency' as currency,
      (e.object->>case e.type when 'charge.succeeded' then 'amount_captured' else 'amount' end)::bigint as amount,
      e.object->'failure'->>'code' as failure_code, e.object->'failure'->>'decline_code' as decline_code
    where e.type = any($4::text[])
  ) c on true
  order by m.account_id, e.sequence`;

async function addFigures(transaction: Database, figures: readonly ChargeFigure[]): Promise<void> {
  if (figures.length === 0) return;
  const column = <Name extends keyof ChargeFigure>(name: Name) => figures.map((figure) => figure[name]);
  await prepared(
    transaction,
    'add-charge-figures',
    `insert into charge_figures as f (account_id, step, at, currency, outcome, reason, count, amount)
     select account_id, 'minute', at, currency, outcome, reason, count, amount
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::numeric[])
       as n (account_id, at, currency, outcome, reason, count, amount)
     on conflict (account_id, at, step, currency, outcome, reason)
     do update set count = f.count + excluded.count, amount = f.amount + excluded.amount`,
    [
      column('accountId'),
      column('at'),
      column('currency'),
      column('outcome'),
      column('reason'),
      column('count'),
      column('amount').map(String),
    ],
  );
}

/** Moves each mark to the last event that was read; to the account's counter where no event is left, or none is kept. */
async function moveMarks(transaction: Database, rows: readonly NewsRow[]): Promise<void> {
  const read = new Map<string, { events: number; last: number; counter: number }>();
  for (const { accountId, counter, sequence } of rows) {
    const events = (read.get(accountId)?.events ?? 0) + (sequence === null ? 0 : 1);
    read.set(accountId, { events, last: sequence ?? counter, counter });
  }
  const moved = [...read].map(([accountId, { events, last, counter }]) => ({
    accountId,
    sequence: events < eventsAtOnce ? counter : last,
  }));
  await prepared(
    transaction,
    'move-charge-figure-marks',
    `update charge_figure_marks m set sequence = n.sequence
     from unnest($1::text[], $2::bigint[]) as n (account_id, sequence)
     where m.account_id = n.account_id and m.sequence < n.sequence`,
    [moved.map(({ accountId }) => accountId), moved.map(({ sequence }) => sequence)],
  );
}

/** A figure as it is read: of a step of any length. */
export type ReadChargeFigure = Omit<ChargeFigure, 'accountId' | 'amount'> & {
  /** Minor units, at most 2^53 - 1: a larger sum reads as that. */
  amount: number;
};

/** Returns the account's figures of a range, oldest first, and the sequence of the last event that is counted. */
export async function readChargeFigures(
  db: Database,
  accountId: string,
  { step, from, to }: FigureRange,
): Promise<{ figures: ReadChargeFigure[]; upToSequence: number }> {
  const [row] = await prepared<{ figures: ReadFigureJson[]; upToSequence: number }>(
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

/** One statement reads figures and mark, so that they fit together. */
type ReadFigureJson = Omit<ReadChargeFigure, 'at'> & { at: string };

/** Turns minutes that began before `before` into hours, at most `limit` rows. Returns how many there were. */
export async function foldChargeFigures(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await prepared<{ folded: number }>(
    db,
    'fold-charge-figures',
    `with folded as (
       delete from charge_figures where ctid = any(array(
         select ctid from charge_figures where step = 'minute' and at < date_trunc('hour', $1::timestamptz, 'UTC')
         order by at limit $2 for update skip locked))
       returning account_id, at, currency, outcome, reason, count, amount
     ), added as (
       insert into charge_figures as f (account_id, step, at, currency, outcome, reason, count, amount)
       select account_id, 'hour', date_trunc('hour', at, 'UTC'), currency, outcome, reason, sum(count), sum(amount)
       from folded group by 1, 3, 4, 5, 6 order by 1, 3, 4, 5, 6
       on conflict (account_id, at, step, currency, outcome, reason)
       do update set count = f.count + excluded.count, amount = f.amount + excluded.amount
     )
     select count(*) as folded from folded`,
    [before, limit],
  );
  return row?.folded ?? 0;
}

/** Deletes at most `limit` rows of hours that began before `before`. Returns their number. */
export async function deleteOldChargeFigures(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from charge_figures where ctid = any(array(
       select ctid from charge_figures where step = 'hour' and at < ? order by at limit ?))`,
    [before, limit],
  );
  return result.rowCount;
}
