import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import { testCards } from '../../cards/sandbox-gateway.ts';
import type { Html } from '../../http/html.ts';
import type { Session } from '../session.ts';
import { errorSummary, type FormState } from './fields.ts';
import { form } from './form.ts';
import type { View } from './view.ts';

/** The card that pays what is not lent. */
export function cardPage({ financedCents, cardCents, program }: Session, filled: FormState, { t, way }: View): Html {
  const money = (cents: number) => t.money(cents, program.currency);
  const values = { lender: program.lender.name, financed: money(financedCents), rest: money(cardCents) };
  return html`<p class="lead">${fill(t.card.lead, values)}</p>
    ${errorSummary(t, filled)}
    ${form(
      way,
      'card',
      html`<fieldset class="choices">
          <legend>${t.card.testCards}</legend>
          ${testCards.map(
            ({ reference, label }, index) =>
              html`<label class="choice">
                <input
                  type="radio"
                  name="card"
                  id="${index === 0 ? 'card' : nothing}"
                  value="${reference}"
                  required
                  ?checked=${filled.typed['card'] === undefined ? index === 0 : filled.typed['card'] === reference}
                />
                <span>${label}</span>
              </label>`,
          )}
        </fieldset>
        <button type="submit">${t.card.submit}</button>`,
    )}`;
}
