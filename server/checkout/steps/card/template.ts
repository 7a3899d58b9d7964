import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../../shared/languages/texts.ts';
import type { CardOnFile } from '../../../purchases/cards/gateway.ts';
import type { Html } from '../../../http/pages/html.ts';
import { choiceField, emptyForm, errorSummary, type FormState } from '../../../http/pages/elements.ts';
import type { Texts } from '../../../base/texts.ts';
import type { StartedSession } from '../../session/session.ts';
import { postForm } from '../../web/forms.ts';
import type { View } from '../../web/urls.ts';
import { includedDownPayment } from '../../session/portions.ts';

/**
 * The card that pays what is not financed.
 *
 * @param testCards - The cards to pick from; undefined if a card is entered on the gateway's page.
 */
export function cardPage(
  { portions, program, merchant, application }: StartedSession,
  form: FormState,
  { t, urls }: View,
  testCards: readonly CardOnFile[] | undefined,
): Html {
  const money = (cents: number) => t.money(cents, program.currency);
  const values = {
    lender: program.lender.name,
    merchant: merchant.name,
    financed: money(portions.financedCents),
    remainder: money(portions.cardCents),
  };
  const known = application.cardLabel;
  const isFramed = urls.display === 'frame';
  return html`<p class="lead">${fill(t.card.lead, values)} ${includedDownPayment(portions, program.currency, t)}</p>
    <p>${fill(t.card.whenCharged, values)}</p>
    ${form.formError ? html`<p class="note" role="status">${form.formError(t)}</p>` : nothing} ${errorSummary(t, form)}
    ${
      known
        ? html`<p class="note">${fill(t.card.chosen, { card: known })} <a href="${urls.to('agreement')}">${t.card.keep}</a></p>`
        : nothing
    }
    ${postForm(
      urls,
      'card',
      testCards
        ? html`${pickedFrom(t, testCards, application.cardReference)} <button type="submit">${t.card.submit}</button>`
        : html`<p>${t.card.enterOnProviderPage}${isFramed ? ` ${t.card.newTab}` : nothing}</p>
            <button type="submit" formtarget="${isFramed ? '_blank' : nothing}">${t.card.enter}</button>`,
    )}
    ${!testCards && isFramed ? html`<p class="actions"><a href="${urls.to()}">${t.card.entered}</a></p>` : nothing}`;
}

function pickedFrom(t: Texts, testCards: readonly CardOnFile[], named: string): Html {
  const picked = testCards.find(({ reference }) => reference === named) ?? testCards[0];
  const form = { ...emptyForm(), values: { card: picked?.reference ?? '' } };
  const choices = testCards.map(({ reference, label }) => ({
    value: reference,
    label: html`<span>${label} <code>${reference}</code></span>`,
  }));
  return choiceField(t, form, 'card', t.card.testCards, choices);
}
