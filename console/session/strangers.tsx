import { BarePage } from '../parts/layout.tsx';
import { renderWhole } from '../serving/documents.tsx';
import { sendHtml } from '../serving/send-html.ts';
import type { AnswerStranger } from './session.ts';

/** Says how to sign in, to whoever has no session. */
export const answerStranger: AnswerStranger = (ctx) =>
  sendHtml(
    ctx,
    401,
    renderWhole(
      <BarePage title="Sign in">
        <p>This page needs a session. Ask the operator of the service for a sign-in link.</p>
      </BarePage>,
    ),
  );
