import type { JSX } from 'preact';
import type { WebhookDeliveryDetail } from '#client/src/index.ts';
import { receiverSamples } from './receiver-samples.ts';

/** How a receiver checks this delivery, with code that was tried. The secret is the reader's to fill in. */
export function SignatureCheck({
  delivery,
  docs,
}: {
  delivery: Pick<WebhookDeliveryDetail, 'event'>;
  docs: string;
}): JSX.Element {
  return (
    <>
      <p>
        The header <code>webhook-signature</code> signs <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and the bytes of the body, as they came. The <code>webhook-id</code> of
        this delivery is <code class="id">{delivery.event}</code>. Each of these receivers answers 204 if the
        signature is good and 400 if it is forged. It reads the secret from <code>WEBHOOK_SECRET</code>: the
        console does not know it. <a href={`${docs}/webhooks`}>Receiving webhooks</a>
      </p>
      {receiverSamples.map(({ language, install, code }) => (
        <details key={language}>
          <summary>{language}</summary>
          <p>
            <code>{install}</code>
          </p>
          <pre>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </>
  );
}
