import type { JSX } from 'preact';

/** The page of an id, by its prefix. An id without a page is plain text. */
const pages: Readonly<Record<string, string>> = {
  ch: '/payments/',
  re: '/refunds/',
  cus: '/customers/',
  we: '/webhooks/',
  wd: '/webhooks/deliveries/',
  evt: '/webhooks/events/',
  op: '/operations/',
  mem: '/access/members/',
  cl: '/access/clients/',
};

/** An id of ours, which leads to its page. `copy`: that of the page itself, with a button that copies it instead. */
export function Id({ value, copy = false }: { value: string; copy?: boolean }): JSX.Element {
  const address = copy ? null : findPage(value);
  const text = <code class="id">{value}</code>;
  return (
    <>
      {address === null ? text : <a href={address}>{text}</a>}
      {copy ? <span class="copy" data-copy={value} /> : null}
    </>
  );
}

/** Returns the path of the page about an id; `null` if there is none. */
export function findPage(id: string): string | null {
  const [prefix = '', rest] = id.split('_');
  if (rest === undefined || !/^[0-9A-Z]{26}$/.test(rest)) return null;
  const folder = Object.hasOwn(pages, prefix) ? pages[prefix] : undefined;
  return folder === undefined ? null : folder + id;
}
