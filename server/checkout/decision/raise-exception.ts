import { html } from '@lit-labs/ssr';
import { dateIn } from '../../../shared/dates.ts';
import type { Application } from '../../lending/applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { addException, type NewException } from '../../lending/exceptions/store.ts';
import { renderHtml } from '../../http/pages/html.ts';
import { idOf } from '../../base/ids.ts';
import { enqueueMessage } from '../../messages/outbox.ts';
import { countMessage } from '../../messages/store.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';

/** Warnings by e-mail in a day (UTC). Further exceptions are only listed and logged: a lender that is down raises many. */
const MAX_ALERTS_PER_DAY = 20;

/** The key under which warnings are counted. */
const COUNTED = 'operator-alerts';

const SENTENCES: Record<NewException['kind'], string> = {
  decision: 'The lender has not answered a request for a decision, and is not asked again automatically.',
  agreement: 'The lender has not answered a signed agreement, and it is not sent again automatically.',
  undecided: 'The lender has not decided an application, which will be denied on the last day of its period.',
};

/**
 * Raises an exception that a person has to resolve, and warns the operator by e-mail, without personal data, in the database transaction of
 * its cause.
 *
 * @returns The exception; undefined if the application has an open one of this kind.
 */
export async function raiseException(
  tx: Tx,
  application: Pick<Application, 'id' | 'merchantId' | 'cartId'>,
  { id, kind, now }: { id: string; kind: NewException['kind']; now: Instant },
  { operator, handling }: Pick<CheckoutDeps['mail'], 'operator' | 'handling'>,
): Promise<NewException | undefined> {
  const { id: applicationId, merchantId, cartId } = application;
  const raised = await addException(tx, { id, applicationId, merchantId, kind, raisedAt: now });
  const { alertsEmail: to, name } = operator;
  if (!raised || to === undefined || handling === 'rejected') return raised;
  const count = await countMessage(tx, { day: dateIn(now, 'UTC'), channel: 'email', counted: COUNTED });
  if (count > MAX_ALERTS_PER_DAY) return raised;
  const content = { name, ...alertOf(raised, count === MAX_ALERTS_PER_DAY) };
  const message = { id: idOf(`${id}/alert`, 0, now), merchantId, cartId, handling, createdAt: now };
  await enqueueMessage(tx, { ...message, channel: 'email', to, content });
  return raised;
}

function alertOf({ id, applicationId, kind }: NewException, isLast: boolean) {
  const paragraphs = [
    SENTENCES[kind],
    `Application: ${applicationId}`,
    `List what has to be resolved: fairterm exception list. Show this exception: fairterm exception show ${id}`,
    ...(isLast ? [`This is the last of ${MAX_ALERTS_PER_DAY} warnings today. Further exceptions are only listed.`] : []),
  ];
  const subject = `Financing: an application has to be resolved (${kind})`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <title>${subject}</title>
      </head>
      <body>
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
      </body>
    </html>`;
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: renderHtml(page) };
}
