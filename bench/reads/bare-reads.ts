import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import pg from 'pg';

/**
 * The process that reads are compared with: Koa routes that read a row with `pg` and send it, and nothing else. It
 * ends with its parent, and answers any message with its port.
 */

export interface BareReadsReport {
  port: number;
}

/** As many as the API has. */
const connections = 20;

const int8 = 20;
pg.types.setTypeParser(int8, Number);
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: connections });

/** The members of a charge, in the names of the wire. */
const members = `id, 'charge' as object, amount, currency, status, capture_method, amount_captured, amount_refunded,
  amount_captured > 0 and amount_refunded = amount_captured as refunded, customer_id as customer, payment_method,
  description, statement_descriptor, metadata, failure, created_at as created, updated_at as updated, captured_at,
  cancel_requested_at, cancelled_at, expires_at`;

const router = new Router();

router.get('/v1/charges/:id', async (ctx) => {
  const text = `select ${members} from charges where id = $1`;
  const { rows } = await pool.query({ name: 'item', text, values: [ctx.params['id']] });
  if (rows.length > 0) ctx.body = rows[0];
});

router.get('/v1/charges', async (ctx) => {
  const text = `select ${members} from charges where account_id = $1 order by id desc limit $2`;
  const values = [ctx.query['account'], ctx.query['limit']];
  const { rows } = await pool.query({ name: 'list', text, values });
  ctx.body = { data: rows };
});

/** A replay's row: the stored answer of a key. */
router.post('/v1/charges', async (ctx) => {
  const text = `select answer_status, answer_body from idempotency_keys
    where account_id = $1 and endpoint = 'POST /v1/charges' and key = $2`;
  const values = [ctx.query['account'], ctx.get('Idempotency-Key')];
  const { rows } = await pool.query({ name: 'replay', text, values });
  if (rows.length === 0) return;
  ctx.status = rows[0].answer_status;
  ctx.type = 'application/json';
  ctx.body = rows[0].answer_body;
});

const app = new Koa();
app.use(router.routes() as unknown as Koa.Middleware);
const server = app.listen(0, '127.0.0.1', () => process.send?.('ready'));

process.on('message', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port } satisfies BareReadsReport);
});
process.on('disconnect', () => process.exit(0));
