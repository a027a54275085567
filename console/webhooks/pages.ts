import type { AnyAction } from '../action.ts';
import type { Page } from '../page.ts';
import { deliveriesPage } from './deliveries.tsx';
import { deliveryPage } from './delivery.tsx';
import { disableEndpoint, deleteEndpoint, enableEndpoint } from './endpoint-ends.tsx';
import { editEndpoint, newEndpoint } from './endpoint-form.tsx';
import { endpointPage } from './endpoint.tsx';
import { webhooksPage } from './endpoints.tsx';
import { eventPage } from './event.tsx';
import { eventsPage } from './events.tsx';
import { countReplay, replayCounted } from './replay.tsx';
import { rotateSecret } from './rotate-secret.tsx';
import { replayDelivery, testEndpoint } from './send-again.ts';

export const webhookPages: readonly Page[] = [
  webhooksPage,
  endpointPage,
  deliveriesPage,
  deliveryPage,
  eventsPage,
  eventPage,
];

export const webhookActions: readonly AnyAction[] = [
  newEndpoint,
  editEndpoint,
  testEndpoint,
  rotateSecret,
  disableEndpoint,
  enableEndpoint,
  deleteEndpoint,
  replayDelivery,
  countReplay,
  replayCounted,
];
