import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { testCards } from '../../purchases/cards/sandbox-gateway.ts';
import { testBuyers } from '../../lending/lenders/sandbox-lender.ts';
import { readRecordedMessage, readRecordedMessages } from '../../messages/messages.ts';
import { textField } from '../../http/pages/elements.ts';
import { Timestamp } from '../../../shared/wire/fields.ts';
import { readForm } from '../../http/pages/read-form.ts';
import { instantOf, microsecondsOf, plusDays } from '../../base/time.ts';
import { details, panel, submitButton, textRule } from '../web/elements.ts';
import { listPanel } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** Messages that are listed. */
const MAX_MESSAGES = 8;

/** The clock, the messages and the test buyers of a sandbox. */
export const showSandbox: Show = async (request) => {
  const { deps, merchant, form, formState, now, time } = request;
  const messages = await readRecordedMessages(deps.database.query, merchant.id, MAX_MESSAGES);
  // Without seconds, as in a `datetime-local` field.
  const state = { ...formState, values: { now: plusDays(now, 1).slice(0, 16), ...formState.values } };
  return {
    title: 'Sandbox',
    content: html`${panel(
      'Clock',
      form(
        'developers/sandbox/clock',
        html`<p>It is now <strong>${time(now)}</strong></p>
          ${textField(t, state, { name: 'now', label: 'New time', hint: 'In UTC. It moves for all merchants of this sandbox, until the service is restarted.', autocomplete: 'off', type: 'datetime-local' })}
          ${submitButton('Move the clock')}`,
      ),
    )}
    ${listPanel({
      caption: 'Messages',
      rows: messages,
      empty: 'No message to a buyer was recorded yet.',
      columns: [
        { label: 'To', cell: ({ to }) => to },
        { label: 'Time', cell: ({ createdAt }) => time(microsecondsOf(createdAt)) },
        {
          label: 'Message',
          cell: ({ id, subject, text }) =>
            html`<a href="${request.to(`developers/sandbox/messages/${id}`)}">${subject || text.slice(0, 60)}</a>`,
        },
      ],
    })}
    ${listPanel({
      caption: 'Test buyers',
      rows: testBuyers,
      columns: [
        { label: 'Last four digits of the tax number', cell: ({ taxIdLast4 }) => html`<code>${taxIdLast4}</code>` },
        { label: 'Outcome', cell: ({ meaning }) => html`<span lang="en">${meaning}</span>` },
      ],
    })}
    ${listPanel({
      caption: 'Test cards',
      rows: testCards,
      columns: [
        { label: 'Card', cell: ({ label }) => label },
        { label: 'Outcome', cell: ({ meaning }) => html`<span lang="en">${meaning}</span>` },
      ],
    })}`,
  };
};

/** A message of the sandbox: its text, and the HTML of an e-mail beside it. */
export const showMessage: Show = async ({ deps, merchant, id, to, time }) => {
  const found = await readRecordedMessage(deps.database.query, merchant.id, id);
  if (!found) return undefined;
  const { to: recipient, subject, text, createdAt } = found.message;
  const address = to(`developers/sandbox/messages/${id}/html`);
  return {
    title: subject || 'Text message',
    hasFrame: true,
    content: html`<p><a href="${to('developers/sandbox')}">Back to the sandbox</a></p>
      ${details([
        ['To', recipient],
        ['Time', time(microsecondsOf(createdAt))],
      ])}
      <div class="message">
        ${panel('Text', html`<pre>${text}</pre>`)}
        ${
          found.html === undefined
            ? nothing
            : panel(
                'HTML',
                html`<iframe src="${address}" title="The e-mail as HTML"></iframe>
                  <p><a href="${address}">Open the e-mail alone</a></p>`,
              )
        }
      </div>`,
  };
};

/** The policy of an e-mail: no scripts and no forms, its own styles, and the logo of the merchant. */
const EMAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:";

/** The HTML of an e-mail at an address of its own: within a page of the console, the policy of that page would remove its styles. */
export const showEmail: Show = async ({ deps, merchant, id }) => {
  const found = await readRecordedMessage(deps.database.query, merchant.id, id);
  return found?.html === undefined ? undefined : { document: found.html, policy: EMAIL_POLICY };
};

/** A moment of a `datetime-local` field in UTC. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) && Timestamp.is(`${text.padEnd(19, ':00')}Z`);

export async function moveClock({ deps, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm({ now: textRule(isMoment, () => 'Enter a date and a time') }, body);
  if (!read.ok) return read;
  deps.clock.moveTo(instantOf(Date.parse(`${read.values.now}Z`)));
  return { redirect: to('developers/sandbox'), done: 'developers.clockMoved' };
}
