import { z } from 'zod';
import { Money, Text } from '../parts/values.tsx';
import type { Field } from '../screens/fields.tsx';
import type { AccountName } from './operator-api.ts';

/** Words and links that the service's pages share. */

/** An account by its name, which leads to its page. */
export const accountField: Field<{ account: AccountName | null }> = [
  'Account',
  ({ account }) =>
    account && (
      <a href={`/service/accounts/${account.id}`}>
        <Text value={account.name} />
      </a>
    ),
];

export const moneyField: Field<{ amount: number | null; currency: string | null }> = [
  'Amount',
  ({ amount, currency }) =>
    amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
];

/** A workflow by its id, which leads to the Temporal UI if its address is known. */
export const workflowField: Field<{ workflow: string | null }> = [
  'Workflow',
  ({ workflow: id }, { links }) => {
    if (id === null) return null;
    const address = toWorkflowAddress(id, links.temporalUi);
    const text = <code class="id">{id}</code>;
    return address === null ? text : <a href={address}>{text} ↗</a>;
  },
];

/** What operators do names a reason, which the audit keeps. */
export const reasonForm = {
  reason: {
    label: 'Reason',
    hint: 'The audit keeps it. No personal data.',
    maxLength: 500,
    isRequired: true,
    is: z.string().trim().min(3, 'Say why, in a few words.').max(500, 'At most 500 characters.'),
  },
} as const;

/** Returns the page of a workflow; `null` without the address of the Temporal UI, which may end in a namespace (as that of `TEMPORAL_NAMESPACE`). */
export function toWorkflowAddress(id: string, temporalUi: string | null): string | null {
  if (temporalUi === null) return null;
  const base = temporalUi.includes('/namespaces/') ? temporalUi : `${temporalUi}/namespaces/payments`;
  return `${base}/workflows/${encodeURIComponent(id)}`;
}

const nexts: Readonly<Record<string, string>> = {
  ask: 'Its workflow asks the processor, and sends again what the processor has not seen.',
  await_processor:
    'The processor has it and decides. Its workflow waits for the notification, and asks now and then.',
  ask_about_capture: 'Its workflow asks for the capture, and sends it again by its own key.',
  void: 'Its workflow voids it at the processor, until the processor confirms.',
  ask_about_reversal: 'Its workflow asks for the reversal, until the processor answers.',
};

/** Returns what happens next, in a sentence. */
export function toNextWords(does: string): string {
  return nexts[does] ?? does;
}

const ends = { void: 'voided', fail: 'failed, since it was never sent' } as const;

/** Returns how a charge ends if the processor never decides. */
export function toEndWords(endsIn: keyof typeof ends): string {
  return ends[endsIn];
}

const advice: Readonly<Record<string, string>> = {
  charge_behind: 'Reconcile with repair: its workflow asks again and saves the answer.',
  refund_behind: 'Reconcile with repair: its workflow asks again and saves the answer.',
  workflow_missing: 'Reconcile with repair, or wait for the sweep: it starts again with its own ids.',
  charge_missing:
    'Postgres lost a commit, or the processor serves someone else too. Look the key up at the processor.',
  refund_missing:
    'Of a charge: reconcile with repair, which takes a refund of the dashboard into our rows. Else Postgres lost a commit. Look it up at the processor.',
  authorization_held: 'Void the authorization at the processor: it blocks the money of the customer.',
  authorization_unknown: 'Look the key up at the processor, and void the authorization if it is nobody’s.',
  authorization_missing: 'Cancel the charge: its authorization was released, so it cannot be captured.',
  captured_twice:
    'The processor took the money twice. Refund one of them at the processor, and tell the processor.',
  authorized_twice:
    'The processor reserved the money twice. Void one of them at the processor, and tell the processor.',
  refund_failed_late: 'Reconcile with repair: the processor is asked, and the refund reads failed.',
  capture_failed_late: 'Reconcile with repair: the processor is asked, and the charge says what is left.',
  void_failed_late:
    'Reconcile with repair: the money is given back again. If it comes back once more, pay the buyer in another way.',
  captured_amount_differs:
    'Compare the charge with the page of the processor, and correct the one that is wrong.',
  refunded_amount_differs:
    'Compare the refund with the page of the processor, and correct the one that is wrong.',
};

/** Returns what to do about a difference (docs/operations.md, Reconciliation). */
export function toAdvice(code: string): string {
  return advice[code] ?? 'docs/operations.md, Reconciliation, says what to do.';
}
