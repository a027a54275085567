import type { Knex } from 'knex';

/**
 * A person may be a member of several accounts: an address, and a person at the provider, belong to one member of each
 * account. The release before writes `email`, which stays unique in the service until a later migration drops it; a trigger
 * copies what it writes. What this release writes is in `email_address` alone, so that the release before binds nobody by it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  // in the form of domain/addresses.ts; by it an invitation is found
  await knex.raw(`alter table members add column email_address text`);
  await copyAddresses(knex);
  await knex.raw(`
    create function copy_member_email() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.email_address := coalesce(new.email_address, new.email);
      elsif new.email is distinct from old.email then
        new.email_address := new.email;
      end if;
      return new;
    end $$`);
  await knex.raw(`
    create trigger members_email before insert or update of email on members for each row
    execute function copy_member_email()`);
  await knex.raw(
    `create unique index members_account_address on members (coalesce(account_id, ''), email_address)`,
  );
  await knex.raw(`create index members_address on members (email_address)`);
  await knex.raw(`alter table members drop constraint members_oidc_issuer_oidc_subject_key`);
  await knex.raw(
    `create unique index members_person on members (oidc_issuer, oidc_subject, coalesce(account_id, ''))`,
  );
}

/** Copies the addresses that are there. Of two that are one now, in one account, the older member keeps it. */
async function copyAddresses(knex: Knex): Promise<void> {
  const members = await knex<{ id: string; account_id: string | null; email: string }>('members')
    .whereNotNull('email')
    .orderBy('id')
    .select('id', 'account_id', 'email');
  const seen = new Set<string>();
  for (const { id, account_id: accountId, email } of members) {
    const address = normalize(email);
    const place = `${accountId} ${address}`;
    if (seen.has(place)) continue;
    seen.add(place);
    await knex('members').where({ id }).update({ email_address: address });
  }
}

function normalize(email: string): string {
  const plain = email
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .trim()
    .toLowerCase();
  const at = plain.lastIndexOf('@') + 1;
  const host = plain.slice(at);
  return URL.canParse(`http://${host}`)
    ? plain.slice(0, at) + new URL(`http://${host}`).hostname.replace(/\.$/, '')
    : plain;
}
