import { chargeStatuses, isTerminal, type ChargeStatus } from '#domain/charges.ts';
import { prose } from './html.ts';
import { scrollable } from './markdown.ts';

/** The states of a charge and the moves between them, as a drawing and a table. A test compares the moves with the rules. */

export interface Move {
  from: ChargeStatus;
  to: ChargeStatus;
  when: string;
  /** The points of its line in the drawing. */
  line: string;
}

/** Every move that a charge can make. */
export const moves: readonly Move[] = [
  {
    from: 'pending',
    to: 'requires_action',
    when: 'the bank wants the buyer to confirm',
    line: '140,92 220,92',
  },
  {
    from: 'pending',
    to: 'requires_capture',
    when: 'the money was reserved, with `capture_method: manual`',
    line: '60,122 60,302 115,302',
  },
  { from: 'pending', to: 'succeeded', when: 'the money was taken', line: '100,122 100,212 115,212' },
  {
    from: 'pending',
    to: 'failed',
    when: 'the card was declined, the processor refused, or the outcome stayed unknown',
    line: '75,82 75,27 115,27',
  },
  {
    from: 'pending',
    to: 'cancelled',
    when: 'you cancelled before the outcome was known',
    line: '30,122 30,392 115,392',
  },
  {
    from: 'requires_action',
    to: 'pending',
    when: 'the buyer has confirmed, and the processor is still at work',
    line: '220,112 140,112',
  },
  {
    from: 'requires_action',
    to: 'requires_capture',
    when: 'the buyer has confirmed, with `capture_method: manual`',
    line: '300,122 300,302 245,302',
  },
  {
    from: 'requires_action',
    to: 'succeeded',
    when: 'the buyer has confirmed, and the money was taken',
    line: '260,122 260,212 245,212',
  },
  {
    from: 'requires_action',
    to: 'failed',
    when: 'the buyer refused or did not come in time, or the card was declined',
    line: '285,82 285,27 245,27',
  },
  {
    from: 'requires_action',
    to: 'cancelled',
    when: 'you cancelled it, or it was cancelled at the processor',
    line: '330,122 330,392 245,392',
  },
  { from: 'requires_capture', to: 'succeeded', when: 'you captured it', line: '180,285 180,229' },
  {
    from: 'requires_capture',
    to: 'cancelled',
    when: 'you cancelled it, or nobody captured it in time',
    line: '180,319 180,375',
  },
];

const boxes: Record<ChargeStatus, [x: number, y: number]> = {
  failed: [115, 10],
  pending: [10, 82],
  requires_action: [220, 82],
  succeeded: [115, 195],
  requires_capture: [115, 285],
  cancelled: [115, 375],
};

/** Returns the drawing, and the same moves as a table. */
export function drawChargeLife(): string {
  return `<figure class="drawing"><svg viewBox="0 0 360 420" role="img" aria-label="The states of a charge and its moves. The table below lists them.">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${moves.map(({ line }) => `<polyline points="${line}" marker-end="url(#tip)"/>`).join('\n')}
${chargeStatuses.map(box).join('\n')}
</svg></figure>
${moveTable()}`;
}

function box(status: ChargeStatus): string {
  const [x, y] = boxes[status];
  const height = status === 'pending' || status === 'requires_action' ? 40 : 34;
  const kind = isTerminal({ status }) ? ' class="end"' : '';
  return `<rect x="${x}" y="${y}" width="130" height="${height}" rx="6"${kind}/><text x="${x + 65}" y="${y + height / 2 + 5}">${status}</text>`;
}

function moveTable(): string {
  const rows = moves.map(
    ({ from, to, when }) =>
      `<tr><td><code>${from}</code></td><td><code>${to}</code></td><td>${prose(when)}</td></tr>`,
  );
  return scrollable(
    `<thead><tr><th>from</th><th>to</th><th>when</th></tr></thead>\n<tbody>${rows.join('\n')}</tbody>`,
  );
}
