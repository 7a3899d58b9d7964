import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../../shared/languages/texts.ts';
import { POSTAL_STATES, ZIP_RANGES } from '../../../../shared/wire/us-states.ts';
import { addressLines, type BuyerContact } from '../../../base/contact.ts';
import { CREATED_BY_PAGE } from '../../../purchases/carts/carts.ts';
import { cartTotals } from '../../../purchases/carts/totals.ts';
import type { Html } from '../../../http/pages/html.ts';
import { addressBlock, choiceField, errorSummary, type FormState, selectField, textField } from '../../../http/pages/elements.ts';
import type { Texts } from '../../../base/texts.ts';
import type { Session } from '../../session/session.ts';
import { canStart } from '../../session/state.ts';
import { postForm } from '../../web/forms.ts';
import type { View } from '../../web/urls.ts';
import { canEditShippingAddress, type FieldGroup, fixedShipping, isComplete, placeIn, shippingName } from './form.ts';

/** Each with the ZIP codes for which the client script selects it. */
const STATES = Object.entries(POSTAL_STATES).map(([code, name]) => [code, name, ZIP_RANGES[code]] as const);

/** The buyer's details, the shipping option and the shipping address. */
export function detailsPage(session: Session, form: FormState, view: View): Html {
  const { t, urls } = view;
  const texts = t.details;
  const field = (name: 'firstName' | 'lastName' | 'email' | 'phone', autocomplete: string, rest = {}) =>
    textField(t, form, { name, label: texts[name], autocomplete, ...rest });
  // The form replaces an application at a link that is in use.
  const isRestart = canStart(session, true);
  const lead = session.program.inquiry?.application === 'soft' ? texts.lead : texts.leadWithoutScore;
  return html`<p class="lead">${fill(lead, { merchant: session.merchant.name })}</p>
    ${isRestart ? html`<p class="note">${t.inProgress.note}</p>` : nothing}
    ${errorSummary(t, form)}
    ${postForm(
      urls,
      isRestart ? 'restart' : 'details',
      html`<input type="hidden" name="asked" value="${form.values['asked'] ?? ''}" />
        ${fieldGroup(t, form, 'contact', html`${field('email', 'email', { type: 'email' })} ${field('phone', 'tel-national', { type: 'tel' })}`)}
        ${fieldGroup(
          t,
          form,
          'home',
          html`${field('firstName', 'billing given-name', { isHalfWidth: true })} ${field('lastName', 'billing family-name', { isHalfWidth: true })}
          ${addressFields(t, form, 'billing')}`,
        )}
        ${shippingAddress(t, session, form)} ${shippingChoice(t, session, form)}
        <button type="submit">${texts.submit}</button>
        ${identification(t, session)}`,
      { renewsSecret: true },
    )}`;
}

/** Fields under a heading. If all of them are known and valid, they are folded to one line, and still submitted. */
function fieldGroup(t: Texts, form: FormState, group: FieldGroup, fields: Html): Html {
  const heading = t.details[group === 'contact' ? 'contact' : group === 'home' ? 'homeAddress' : 'shipTo'];
  if (!isComplete(group, form)) return html`<fieldset><legend>${heading}</legend>${fields}</fieldset>`;
  return html`<details class="known">
    <summary>
      <span class="known-heading">${heading}</span>
      <span class="change">${t.details.change}</span>
      <span class="known-values">${knownValues(group, form).map((value, index) => html`${index > 0 ? ', ' : nothing}<bdi>${value}</bdi>`)}</span>
    </summary>
    <fieldset aria-label="${heading}">${fields}</fieldset>
  </details>`;
}

function knownValues(group: FieldGroup, { values }: FormState): string[] {
  if (group !== 'contact') return addressLines(placeIn(values, group));
  const { email = '', phone = '' } = values;
  return [email, phone.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')];
}

/** The notice of a bank's identification procedures, before an account is opened: 31 CFR 1020.220(a)(5). See decisions/0049. */
function identification(t: Texts, { program }: Session): Html | typeof nothing {
  if (program.lender.model !== 'bank-partner') return nothing;
  const { heading, law, meaning } = t.details.identification;
  return html`<section class="fine-print">
    <h2>${heading}</h2>
    <p>${law}</p>
    <p>${meaning}</p>
  </section>`;
}

function addressFields(t: Texts, form: FormState, section: 'billing' | 'shipping'): Html {
  const { address, address2, city, state, zip } = t.details;
  const fieldName = (name: string) => (section === 'billing' ? name : shippingName(name));
  return html`${textField(t, form, { name: fieldName('address'), label: address, autocomplete: `${section} address-line1` })}
  ${textField(t, form, { name: fieldName('address2'), label: address2, autocomplete: `${section} address-line2`, isOptional: true })}
  ${textField(t, form, { name: fieldName('city'), label: city, autocomplete: `${section} address-level2` })}
  ${textField(t, form, {
    name: fieldName('zip'),
    label: zip,
    autocomplete: `${section} postal-code`,
    inputmode: 'numeric',
    isHalfWidth: true,
    // The field in which the client script selects the state of the ZIP code.
    format: fieldName('state'),
  })}
  ${selectField(t, form, {
    name: fieldName('state'),
    label: state,
    autocomplete: `${section} address-level1`,
    isHalfWidth: true,
    choices: STATES,
  })}`;
}

function shippingChoice(t: Texts, { purchase: { options }, program }: Session, form: FormState): Html | typeof nothing {
  const { shippingOptions = [] } = options;
  if (shippingOptions.length === 0) return nothing;
  const choices = shippingOptions.map((option) => {
    const { type, typeId, cost } = option;
    const price = cost === 0 ? t.order.free : t.money(cost, program.currency);
    const total = t.money(cartTotals(options, option).totalCents, program.currency);
    // The client script shows the values of the picked option in the order summary.
    const label = html`<bdi>${type}</bdi>
      <span class="amount" data-shipping="${type}" data-cost="${price}" data-label="${t.order.total}" data-total="${total}">${price}</span>`;
    return { value: typeId, label };
  });
  const [only, ...others] = choices;
  const values = only && others.length === 0 ? { ...form.values, shippingTypeId: only.value } : form.values;
  return choiceField(t, { ...form, values }, 'shippingTypeId', t.details.shipping, choices);
}

/** The fixed shipping address, the folded address of the cart, or a checkbox that shows the fields of another address, without a script. */
function shippingAddress(t: Texts, { cart, purchase: { options } }: Session, form: FormState): Html | typeof nothing {
  const fixed = fixedShipping(options);
  if (fixed) return fixedAddress(t, fixed, form, cart.createdBy === CREATED_BY_PAGE);
  if (!canEditShippingAddress(options)) return nothing;
  const nameField = (name: string, label: string, part: string) =>
    textField(t, form, { name, label, autocomplete: `shipping ${part}`, isHalfWidth: true });
  const isElsewhere = form.values['shipElsewhere'] === 'yes';
  const fields = html`<div class="field checkbox">
      <input type="checkbox" id="shipElsewhere" name="shipElsewhere" value="yes" ?checked=${isElsewhere} />
      <label for="shipElsewhere">${t.details.shipElsewhere}</label>
    </div>
    <div class="elsewhere">
      ${nameField('shippingFirstName', t.details.firstName, 'given-name')}
      ${nameField('shippingLastName', t.details.lastName, 'family-name')}
      ${addressFields(t, form, 'shipping')}
    </div>`;
  return isElsewhere
    ? fieldGroup(t, form, 'shipping', fields)
    : html`<fieldset aria-label="${t.details.shipTo}">${fields}</fieldset>`;
}

/**
 * A fixed address, with a field for a missing ZIP code.
 *
 * @param isShown - Whether to show the address. False if the merchant's server created the cart: the address may belong to another person.
 */
function fixedAddress(t: Texts, contact: BuyerContact, form: FormState, isShown: boolean): Html | typeof nothing {
  const { city, state, zip } = contact;
  if (!isShown && zip !== '') return nothing;
  const zipField = {
    name: 'shippingZip',
    label: t.details.zip,
    hint: fill(t.details.shipsTo, { city, state }),
    autocomplete: 'shipping postal-code',
    inputmode: 'numeric',
  };
  return html`<fieldset>
    <legend>${t.details.shipTo}</legend>
    ${isShown ? html`<p>${addressBlock(contact)}</p>` : nothing}
    ${zip === '' ? textField(t, form, zipField) : nothing}
  </fieldset>`;
}
