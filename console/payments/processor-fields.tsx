import type { Fields } from '../screens/fields.tsx';

interface AtProcessor {
  /** `null`: it was not kept. */
  processor: { id: string | null; kind: string | null; reference: string | null } | null;
}

/** Where a payment or a refund was made, and what it is called there. */
export const processorFields = {
  processor: [
    'Processor',
    ({ processor }) => [processor?.kind, processor?.id].filter(Boolean).join(', ') || null,
  ],
  processorReference: [
    'Its reference',
    ({ processor }) => processor?.reference && <code>{processor.reference}</code>,
  ],
} satisfies Fields<AtProcessor>;
