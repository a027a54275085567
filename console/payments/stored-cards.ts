import type { Charge, Customer } from '#client/src/index.ts';
import type { Visit } from '../page.ts';
import { may } from '../session/session.ts';

/** The cards that customers keep on file. Of a one-off token the API knows no digits. */

/** A charge in a list. */
export interface ListedCharge extends Charge {
  /** The stored card that paid. (Default: it is not known) */
  card?: Customer['payment_methods'][number]['card'];
}

/** Of how many customers the cards are asked for, at most: as many as a list has rows. */
export const mostCustomers = 25;

/** Whether a card on file paid, and not a one-off token. */
export function isStored({ customer, payment_method: source }: Charge): boolean {
  return customer !== null && source.startsWith('pm_');
}

/** Adds the cards of the first {@link mostCustomers} customers. A card that was detached since then stays unknown. */
export async function addCards({ api, session }: Visit, charges: readonly Charge[]): Promise<ListedCharge[]> {
  if (!may(session, 'customers:read')) return [...charges];
  const owners = new Set(charges.filter(isStored).map(({ customer }) => customer as string));
  const customers = await Promise.all(
    // A customer may be erased, and a list does without what cannot be read.
    [...owners].slice(0, mostCustomers).map((id) => api.customers.get(id).catch(() => null)),
  );
  const cards = new Map(
    customers.flatMap((customer) => customer?.payment_methods ?? []).map(({ id, card }) => [id, card]),
  );
  return charges.map((charge) => {
    const card = cards.get(charge.payment_method);
    return card ? { ...charge, card } : charge;
  });
}
