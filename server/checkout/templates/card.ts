import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatMoney } from '../../../shared/money.ts';
import { testCards } from '../../cards/sandbox-gateway.ts';
import type { Html } from '../../http/html.ts';
import type { Session } from '../session.ts';
import { errorSummary, type FormState } from './fields.ts';

/** The card that pays what is not lent. */
export function cardPage({ financedCents, cardCents, program }: Session, form: FormState): Html {
  const money = (cents: number) => formatMoney(cents, program.currency);
  return html`<p class="lead">
      ${program.lender.name} lends you ${money(financedCents)}. The other ${money(cardCents)} are paid by card.
    </p>
    ${errorSummary(form)}
    <form method="post" novalidate>
      <fieldset class="choices">
        <legend>Test cards</legend>
        ${testCards.map(
          ({ reference, label }, index) =>
            html`<label class="choice">
              <input type="radio" name="card" id="${index === 0 ? 'card' : nothing}" value="${reference}" required ?checked=${index === 0} />
              <span>${label}</span>
            </label>`,
        )}
      </fieldset>
      <button type="submit">Continue</button>
    </form>`;
}
