import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatMoney } from '../../../shared/money.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Html } from '../../http/html.ts';
import { asksWhereToShip } from '../details-form.ts';
import type { Session } from '../session.ts';
import { errorSummary, type FormState, selectField, textField } from './fields.ts';

const STATES = Object.entries(US_STATES);

/** Who buys, where it ships and how. */
export function detailsPage(session: Session, form: FormState): Html {
  return html`<p class="lead">Tell ${session.merchant.name} and the lender who is buying. Checking what you qualify for comes next.</p>
    ${errorSummary(form)}
    <form method="post" novalidate>
      <fieldset>
        <legend>Contact</legend>
        ${textField(form, { name: 'firstName', label: 'First name', autocomplete: 'billing given-name', half: true })}
        ${textField(form, { name: 'lastName', label: 'Last name', autocomplete: 'billing family-name', half: true })}
        ${textField(form, { name: 'email', label: 'E-mail', autocomplete: 'email', type: 'email' })}
        ${textField(form, { name: 'phone', label: 'Mobile phone', autocomplete: 'tel-national', type: 'tel' })}
      </fieldset>
      <fieldset>
        <legend>Home address</legend>
        ${addressFields(form, 'billing')}
      </fieldset>
      ${shippingChoice(session, form)} ${shippingAddress(session, form)}
      <button type="submit">Continue</button>
    </form>`;
}

function addressFields(form: FormState, section: 'billing' | 'shipping'): Html {
  const named = (name: string) => (section === 'billing' ? name : `shipping${name[0]!.toUpperCase()}${name.slice(1)}`);
  return html`${textField(form, { name: named('address'), label: 'Street address', autocomplete: `${section} address-line1` })}
  ${textField(form, { name: named('address2'), label: 'Apartment or suite', autocomplete: `${section} address-line2`, optional: true })}
  ${textField(form, { name: named('city'), label: 'City', autocomplete: `${section} address-level2` })}
  ${selectField(form, {
    name: named('state'),
    label: 'State',
    autocomplete: `${section} address-level1`,
    half: true,
    choices: STATES,
  })}
  ${textField(form, { name: named('zip'), label: 'ZIP code', autocomplete: `${section} postal-code`, inputmode: 'numeric', half: true })}`;
}

function shippingChoice({ options, program }: Session, form: FormState): Html | typeof nothing {
  const choices = options.shippingOptions ?? [];
  if (choices.length === 0) return nothing;
  const error = form.errors['shippingTypeId'];
  return html`<fieldset class="choices" aria-describedby="${error ? 'shippingTypeId-error' : nothing}">
    <legend>Shipping</legend>
    ${choices.map(
      ({ type, typeId, cost }, index) =>
        html`<label class="choice">
          <input
            type="radio"
            name="shippingTypeId"
            id="${index === 0 ? 'shippingTypeId' : nothing}"
            value="${typeId}"
            required
            ?checked=${choices.length === 1 || form.typed['shippingTypeId'] === typeId}
          />
          <span>${type}</span><span class="amount">${cost === 0 ? 'Free' : formatMoney(cost, program.currency)}</span>
        </label>`,
    )}
    ${error ? html`<p class="error" id="shippingTypeId-error">${error}</p>` : nothing}
  </fieldset>`;
}

/** Fixed by the merchant, or the buyer's own address, or another one. The fields of another open without a script. */
function shippingAddress({ options }: Session, form: FormState): Html | typeof nothing {
  if (!asksWhereToShip(options)) return nothing;
  return html`<fieldset>
    <legend>Ship to</legend>
    <div class="field tick">
      <input type="checkbox" id="shipElsewhere" name="shipElsewhere" value="yes" ?checked=${form.typed['shipElsewhere'] === 'yes'} />
      <label for="shipElsewhere">Ship to another address than my home address</label>
    </div>
    <div class="elsewhere">
      ${textField(form, { name: 'shippingFirstName', label: 'First name', autocomplete: 'shipping given-name', half: true })}
      ${textField(form, { name: 'shippingLastName', label: 'Last name', autocomplete: 'shipping family-name', half: true })}
      ${addressFields(form, 'shipping')}
    </div>
  </fieldset>`;
}
