/** What can stand in a form. `null` and `undefined` leave the member out: an empty text would unset it at Stripe. */
export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/**
 * Encodes members as Stripe reads them: `metadata[charge]=ch_…&expand[0]=latest_charge`. The order is that of the
 * members, so the same request has the same bytes, which Stripe compares when it meets a key again.
 */
export function encodeForm(members: Readonly<Record<string, FormValue>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) append(form, name, value);
  return form.toString();
}

function append(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') return form.append(name, String(value));
  for (const [member, inner] of Object.entries(value)) append(form, `${name}[${member}]`, inner);
}
