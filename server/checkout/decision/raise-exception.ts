import { html } from '@lit-labs/ssr';
import { idOf } from '../../base/ids.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import type { Tx } from '../../db/database.ts';
import { renderHtml } from '../../http/pages/html.ts';
import type { Application } from '../../lending/applications/store.ts';
import { addException, findLatestException, type NewException, saveFault } from '../../lending/exceptions/store.ts';
import { enqueueMessage } from '../../messages/outbox.ts';
import { countMessage } from '../../messages/store.ts';
import type { CreditBureau } from '../../../shared/programs/program.ts';
import type { DecisionFacts } from '../../lending/lenders/lender.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { StartedSession } from '../session/session.ts';

/** Warnings by e-mail in a day (UTC). Further exceptions are only listed and logged: a lender that is down raises many. */
const MAX_ALERTS_PER_DAY = 20;

/** The key under which warnings are counted. */
const COUNTED = 'operator-alerts';

const SENTENCES: Record<NewException['kind'], string> = {
  decision: 'The lender has not answered a request for a decision, and is not asked again automatically.',
  agreement: 'The lender has not answered a signed agreement, and it is not sent again automatically.',
  undecided: 'The lender has not decided an application, which will be denied on the last day of its period.',
  schedule:
    'The lender has stated payments of a loan that are not used. The buyer still sees the payments that were known before.',
  bureau: 'The lender has used the report of another credit bureau than the pages name, which the buyer was not informed of.',
};

/** The sentences about a response that is invalid. */
const INVALID: Partial<Record<NewException['kind'], string>> = {
  decision: 'The lender has responded to a request for a decision, but the response is invalid. The buyer still waits.',
  agreement: 'The lender has responded to a signed agreement, but the response is invalid. The buyer still waits.',
};

/** The application that an exception is about. */
type Subject = Pick<Application, 'id' | 'merchantId' | 'cartId'>;
type AlertOptions = Pick<CheckoutDeps['mail'], 'operator' | 'handling'>;
type Raised = Pick<NewException, 'id' | 'kind' | 'fault'> & { now: Instant };

/**
 * Raises an exception that a person has to resolve, and warns the operator by e-mail, without personal data, in the database transaction of
 * its cause.
 *
 * @returns The exception; undefined if the application has an open one of this kind.
 */
export async function raiseException(
  tx: Tx,
  application: Subject,
  { id, kind, now, fault = null }: Raised,
  mail: AlertOptions,
): Promise<NewException | undefined> {
  const { id: applicationId, merchantId } = application;
  const raised = await addException(tx, { id, applicationId, merchantId, kind, fault, raisedAt: now });
  if (raised) await sendAlert(tx, application, raised, now, mail);
  return raised;
}

/**
 * Raises an exception about an invalid response. If the open one of the kind has another fault or none, it has this one from now on, and the
 * operator is warned again.
 *
 * @returns The exception; undefined if nothing has changed, or if a person has resolved the open one, which takes effect next.
 */
export async function raiseFault(
  tx: Tx,
  application: Subject,
  raised: Raised & { fault: string },
  mail: AlertOptions,
): Promise<NewException | undefined> {
  const { kind, fault, now } = raised;
  const latest = await findLatestException(tx, application.id, kind);
  if (!latest || latest.closedAt !== null) return raiseException(tx, application, raised, mail);
  if (latest.fault === fault || latest.resolution !== null) return undefined;
  await saveFault(tx, latest.id, fault);
  const changed = { ...latest, fault };
  await sendAlert(tx, application, changed, now, mail);
  return changed;
}

/**
 * Raises an exception if the lender has used a credit bureau that the pages do not name as a recipient of the buyer's data. The decision is applied:
 * its notice must name the bureau that was used (15 USC 1681m(a)(3)), and the buyer cannot correct it.
 */
export async function compareBureaus(
  tx: Tx,
  { program, application }: Pick<StartedSession, 'program' | 'application'>,
  { score, sources }: DecisionFacts,
  { id, now }: Pick<Raised, 'id' | 'now'>,
  mail: AlertOptions,
): Promise<NewException | undefined> {
  const named = program.lender.creditBureau?.name;
  const isOther = ({ name }: CreditBureau) => named !== undefined && name !== named;
  const field = sources?.reports.some(isOther) ? 'sources.reports' : score && isOther(score.bureau) ? 'score.bureau' : undefined;
  if (field === undefined) return undefined;
  const fault = `request ${application.requestId}: ${field}: expected only the bureau that the pages name`;
  return raiseException(tx, application, { id, kind: 'bureau', fault, now }, mail);
}

/** Warns the operator again of the latest exception of a kind. Raises it again if it was closed, because the lender was asked again in vain. */
export async function repeatAlert(
  tx: Tx,
  application: Subject,
  { id, kind, now }: Omit<Raised, 'fault'>,
  mail: AlertOptions,
): Promise<NewException | undefined> {
  const latest = await findLatestException(tx, application.id, kind);
  if (!latest || latest.closedAt !== null) {
    return raiseException(tx, application, { id, kind, fault: latest?.fault ?? null, now }, mail);
  }
  if (latest.resolution !== null) return undefined;
  await sendAlert(tx, application, latest, now, mail);
  return latest;
}

async function sendAlert(
  tx: Tx,
  { merchantId, cartId }: Subject,
  raised: NewException,
  now: Instant,
  { operator, handling }: AlertOptions,
): Promise<void> {
  const { alertsEmail: to, name } = operator;
  if (to === undefined || handling === 'unavailable') return;
  const count = await countMessage(tx, { day: dateIn(now, 'UTC'), channel: 'email', counted: COUNTED });
  if (count > MAX_ALERTS_PER_DAY) return;
  const content = { name, ...alertOf(raised, count === MAX_ALERTS_PER_DAY) };
  const message = { id: idOf(`${raised.id}/alert`, 0, now), merchantId, cartId, handling, createdAt: now };
  await enqueueMessage(tx, { ...message, channel: 'email', to, content });
}

function alertOf({ id, applicationId, kind, fault = null }: NewException, isLast: boolean) {
  const paragraphs = [
    (fault !== null && INVALID[kind]) || SENTENCES[kind],
    ...(fault === null ? [] : [`Response to ${fault}`]),
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
