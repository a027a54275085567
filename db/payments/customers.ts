import type { PaymentMethod } from '#domain/cards/payment-methods.ts';
import { presentDeletedCustomer, type Customer, type Payer } from '#domain/customers.ts';
import { listParameters, listValues, setColumns } from '../columns.ts';
import { findRow, type Database } from '../knex.ts';
import { searchResources, type MetadataFilter } from '../metadata-tags.ts';
import type { Found, IdRange, Page } from '../pages.ts';
import type { Change } from '../writes/effects.ts';

/** Columns of `customers c` that make a {@link Customer}. One statement reads its cards too, so they belong to its version. */
const columns = `c.id, c.account_id, c.name, c.email, c.description, c.metadata, c.default_payment_method, c.created_at,
  c.updated_at, c.deleted_at, c.version, (
  select coalesce(json_agg(json_build_object('id', p.id, 'card', json_build_object(
    'brand', p.brand, 'last4', p.last4, 'expMonth', p.exp_month, 'expYear', p.exp_year)) order by p.id desc), '[]')
  from payment_methods p where p.customer_id = c.id) as payment_methods`;

/** Returns the account's own customer, also if it was deleted. */
export function findCustomer(db: Database, accountId: string, id: string): Promise<Customer | null> {
  return findRow<Customer>(
    db,
    'find-customer',
    `select ${columns} from customers c where c.id = $1 and c.account_id = $2`,
    [id, accountId],
  );
}

/** Returns the facts that a charge by `paymentMethod` (default: the customer's) needs, or `null` if there is no such customer. */
export function findPayer(
  db: Database,
  accountId: string,
  charge: { customer: string; paymentMethod: string | null },
): Promise<Payer | null> {
  return findRow<Payer>(
    db,
    'find-payer',
    `select c.deleted_at is not null as is_deleted, p.id as payment_method, p.processor_token,
       p.processor_id, o.status as processor_status
     from customers c
     left join payment_methods p on p.customer_id = c.id and p.id = coalesce($3, c.default_payment_method)
     left join processors o on o.id = p.processor_id
     where c.id = $1 and c.account_id = $2`,
    [charge.customer, accountId, charge.paymentMethod],
  );
}

const listed = { name: 'list-customers', columns, table: 'customers', prefix: 'cus_' } as const;

/** Filters of a list; each is optional. */
export interface CustomerFilter extends IdRange {
  metadata?: MetadataFilter | undefined;
  email?: string | undefined;
}

/** Searches a page of the account's customers that are not deleted, newest first. */
export function listCustomers(
  db: Database,
  accountId: string,
  { metadata, email, ...range }: CustomerFilter,
  page: Page,
): Promise<Found<Customer>> {
  const filters = {
    always: [['deleted_at is null and account_id =', accountId]],
    indexed: [['email =', email]],
  } as const;
  // A deleted customer has no metadata.
  return searchResources<Customer>(db, listed, { accountId, metadata }, filters, range, page);
}

const madeColumns = 'id, account_id, name, email, description, metadata, created_at, updated_at';

/** Builds the change that creates a customer. */
export function buildCustomerCreation(customer: Customer): Change {
  return {
    name: 'create-customer',
    sql: `
      insert into customers (${madeColumns}) values (${listParameters(madeColumns)}) returning id, account_id`,
    values: listValues(madeColumns, customer),
  };
}

const changedColumns = 'name, email, description, metadata, default_payment_method, updated_at';
/** The customer in the version that was read, which is not deleted. */
const where = 'where id = $1 and version = $2 and deleted_at is null returning id, account_id';

/** Builds the change that writes a customer's profile, if nobody changed the customer since it was read. */
export function buildCustomerChange(read: Customer, changed: Customer): Change {
  return {
    name: 'change-customer',
    sql: `update customers set ${setColumns(changedColumns, 3)}, version = version + 1 ${where}`,
    values: [read.id, read.version, ...listValues(changedColumns, changed)],
  };
}

/**
 * Builds the change that deletes a customer, its cards, and its data in events and stored answers, if it is unchanged since
 * it was read. Its id stays. Each answer that shows the customer was committed with a version before this one, so none is
 * missed.
 */
export function buildCustomerDeletion(read: Customer, at: Date): Change {
  return {
    name: 'delete-customer',
    sql: `
      update customers set
        name = null, email = null, description = null, metadata = '{}', default_payment_method = null,
        updated_at = $3, deleted_at = $3, version = version + 1
      ${where}`,
    values: [read.id, read.version, at, JSON.stringify(presentDeletedCustomer(read))],
    along: {
      detached: 'delete from payment_methods p using moved where p.customer_id = moved.id returning 1',
      erased: 'update events e set object = $4::json from moved where e.resource_id = moved.id returning 1',
      forgotten: `
        update idempotency_keys k
        set answer_status = 410, answer_body = '', answer_headers = jsonb_strip_nulls(jsonb_build_object('location', answer_headers->'location'))
        from moved
        -- a pattern, so that the index of customers is used
        where k.resource_id = moved.id and k.resource_id like 'cus\\_%' and k.account_id = moved.account_id
          and k.answered_at is not null
        returning 1`,
    },
  };
}

/** Builds the change that attaches a card to the customer, if nobody changed the customer since it was read. */
export function buildAttachment(
  read: Customer,
  { id, card }: PaymentMethod,
  { processorToken, processorId }: { processorToken: string; processorId: string | null },
  at: Date,
): Change {
  return {
    name: 'attach-payment-method',
    sql: `
      update customers set updated_at = $3, version = version + 1
      ${where}`,
    values: [
      read.id,
      read.version,
      at,
      id,
      processorToken,
      card.brand,
      card.last4,
      card.expMonth,
      card.expYear,
      processorId,
    ],
    along: {
      attached: `
        insert into payment_methods (id, customer_id, processor_token, brand, last4, exp_month, exp_year, processor_id)
        select $4, moved.id, $5, $6, $7, $8::smallint, $9::smallint, $10 from moved
        returning 1`,
    },
  };
}

/** Builds the change that detaches a card, also as the default, if nobody changed the customer since it was read. */
export function buildDetachment(read: Customer, paymentMethodId: string, at: Date): Change {
  return {
    name: 'detach-payment-method',
    sql: `
      update customers set
        default_payment_method = nullif(default_payment_method, $4), updated_at = $3, version = version + 1
      ${where}`,
    values: [read.id, read.version, at, paymentMethodId],
    along: {
      detached:
        'delete from payment_methods p using moved where p.customer_id = moved.id and p.id = $4 returning 1',
    },
  };
}
