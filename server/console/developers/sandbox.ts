import { html } from '@lit-labs/ssr';
import { testCards } from '../../purchases/cards/sandbox-gateway.ts';
import { testBuyers } from '../../lending/lenders/sandbox-lender.ts';
import { readRecordedMessages } from '../../messages/messages.ts';
import { textField } from '../../http/pages/elements.ts';
import { Timestamp } from '../../../shared/wire/fields.ts';
import { readForm } from '../../http/pages/read-form.ts';
import { instantOf, microsecondsOf, plusDays } from '../../base/time.ts';
import { panel, submitButton, textRule } from '../web/elements.ts';
import { listPanel } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** Messages that are listed, and the longest text of one. */
const MAX_MESSAGES = 8;
const MAX_TEXT_LENGTH = 2_000;

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
          cell: ({ subject, text }) =>
            html`<details><summary>${subject || text.slice(0, 60)}</summary><pre>${text.slice(0, MAX_TEXT_LENGTH)}</pre></details>`,
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

/** A moment of a `datetime-local` field in UTC. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) && Timestamp.is(`${text.padEnd(19, ':00')}Z`);

export async function moveClock({ deps, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm({ now: textRule(isMoment, () => 'Enter a date and a time') }, body);
  if (!read.ok) return read;
  deps.clock.moveTo(instantOf(Date.parse(`${read.values.now}Z`)));
  return { redirect: to('developers/sandbox'), done: 'developers.clockMoved' };
}
