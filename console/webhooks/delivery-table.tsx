import type { ComponentChildren, JSX } from 'preact';
import type { WebhookDelivery } from '#client/src/index.ts';
import { Id } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

interface DeliveryTableProps {
  caption: string;
  deliveries: readonly WebhookDelivery[];
  empty: ComponentChildren;
  /** Leaves the endpoint out, where all are of one. (Default: shown) */
  isOfOneEndpoint?: boolean;
}

/** Deliveries, a row each, which leads to its attempts. */
export function DeliveryTable({
  caption,
  deliveries,
  empty,
  isOfOneEndpoint = false,
}: DeliveryTableProps): JSX.Element {
  return (
    <Table
      caption={caption}
      head={['Event', 'Status', 'Attempts', 'Next attempt', 'Made', ...(isOfOneEndpoint ? [] : ['Endpoint'])]}
      rows={deliveries.map((delivery) => ({
        key: delivery.id,
        href: `/webhooks/deliveries/${delivery.id}`,
        cells: [
          delivery.replay ? `${delivery.type} (again)` : delivery.type,
          <DeliveryStatus key="status" status={delivery.status} />,
          delivery.attempt_count,
          <Time key="next" at={delivery.next_attempt_at} />,
          <Time key="created" at={delivery.created} />,
          ...(isOfOneEndpoint ? [] : [<Id key="endpoint" value={delivery.endpoint} />]),
        ],
      }))}
      empty={empty}
      grows="deliveries"
    />
  );
}

export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>): JSX.Element {
  return status === 'dead_letter' ? <Status value={status} tone="bad" /> : <Status value={status} />;
}
