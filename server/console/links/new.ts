import { html } from '@lit-labs/ssr';
import { create } from 'superstruct';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { createCart } from '../../purchases/carts/carts.ts';
import type { Html } from '../../http/pages/html.ts';
import { textField } from '../../http/pages/elements.ts';
import { centsOf, hiddenField, readForm, redisplayedForm } from '../../http/pages/read-form.ts';
import { lastUsDate, plusDays, dateIn } from '../../base/time.ts';
import { identifierRule, submitButton, textRule } from '../web/elements.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** Items of a link at most. The form begins with one. */
const MAX_ITEMS = 50;

/** Default number of days for which a link works. */
const DAYS = 7;

/** The only shipping option of a link with a cost of shipping. */
const SHIPPING_ID = 'shipping';

/** The form that creates a link for a phone or store order. */
export const showNewLink: Show = async (request) => {
  const { to, form, formState, now } = request;
  const isFirst = Object.keys(formState.values).length === 0;
  const values = isFirst ? { lastDay: dateIn(plusDays(now, DAYS), 'UTC') } : formState.values;
  const state = { ...formState, values };
  const dollars = { autocomplete: 'off', inputmode: 'decimal', prefix: '$', isOptional: true };
  return {
    title: 'Create a link',
    content: html`<p><a href="${to('links')}">Back to the links</a></p>
      ${form(
        'links/new',
        // The Enter key presses the first button of a form.
        html`<button hidden></button>
          ${textField(t, state, { name: 'orderRef', label: 'Order number', hint: 'Yours, to find the order again.', autocomplete: 'off', isOptional: true })}
          ${Array.from({ length: itemCount(values['items']) }, (_, index) => itemFields(state, index))}
          <input type="hidden" name="items" value="${itemCount(values['items'])}" />
          <p><button name="more" value="yes" class="quiet">Add an item</button></p>
          ${textField(t, state, { name: 'tax', label: 'Tax', ...dollars })}
          ${textField(t, state, { name: 'shipping', label: 'Shipping', hint: 'Leave it empty if nothing is shipped. The buyer enters the address.', ...dollars })}
          ${textField(t, state, { name: 'lastDay', label: 'Last day of the link', type: 'date', autocomplete: 'off' })} ${submitButton('Create a link')}`,
      )}`,
  };
};

function itemFields(state: ConsoleRequest['formState'], index: number): Html {
  const common = { autocomplete: 'off', isOptional: index > 0 };
  return html`<fieldset class="item">
    <legend>Item ${index + 1}</legend>
    ${textField(t, state, { name: `name${index}`, label: 'Name', ...common })}
    <div class="pair">
      ${textField(t, state, { name: `price${index}`, label: 'Price of one', inputmode: 'decimal', prefix: '$', ...common })}
      ${textField(t, state, { name: `quantity${index}`, label: 'Quantity', inputmode: 'numeric', autocomplete: 'off', isOptional: true })}
      ${textField(t, state, { name: `sku${index}`, label: 'SKU', autocomplete: 'off', isOptional: true })}
    </div>
  </fieldset>`;
}

/** Returns the number of items of a form. @param typed - Unknown input. */
function itemCount(typed: string | undefined): number {
  const count = Number(typed);
  return Number.isInteger(count) && count >= 1 && count <= MAX_ITEMS ? count : 1;
}

/** An amount below a million dollars. */
const isAmount = (text: string): boolean => (centsOf(text) ?? Number.NaN) < 100_000_000;

const optionalDollars = textRule(
  (text) => text === '' || isAmount(text),
  () => 'Enter an amount, such as 1,299.00',
);
const optionalIdentifier = identifierRule(
  (text) => text.length <= 200,
  () => 'Enter at most 200 characters',
);
const rules = {
  orderRef: optionalIdentifier,
  tax: optionalDollars,
  shipping: optionalDollars,
};
const itemRules = {
  name: textRule(
    (text) => text !== '' && text.length <= 200,
    () => 'Enter the name of the item, in at most 200 characters',
  ),
  price: textRule(isAmount, () => 'Enter an amount, such as 1,299.00'),
  quantity: textRule(
    (text) => text === '' || /^[1-9]\d{0,3}$/.test(text),
    () => 'Enter a whole number, at least 1',
  ),
  sku: optionalIdentifier,
};

/** Creates a link, or shows the form with another item. */
export async function createLink({ deps, merchant, user, to, now }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const count = itemCount(hiddenField(body, 'items'));
  const used = Array.from({ length: count }, (_, index) => index).filter(
    (index) => index === 0 || Object.keys(itemRules).some((name) => hiddenField(body, name + index).trim() !== ''),
  );
  const ofItems = used.flatMap((index) => Object.entries(itemRules).map(([name, rule]) => [name + index, rule] as const));
  const lastDay = textRule(
    // A link works until its last day has ended in every US time zone.
    (text) => CalendarDate.is(text) && text >= lastUsDate(now),
    () => 'Enter a day from today on',
  );
  const read = readForm<Record<string, (typeof rules)['tax']>>({ ...Object.fromEntries(ofItems), ...rules, lastDay }, body);
  const values = { ...redisplayedForm(body), ...read.values };
  if (hiddenField(body, 'more') !== '') {
    return { ok: false, values: { ...values, items: String(Math.min(MAX_ITEMS, count + 1)) }, errors: {} };
  }
  if (!read.ok) return { ...read, values };
  const typed = (name: string) => read.values[name] ?? '';
  const request = create(
    {
      expiration: typed('lastDay'),
      createdBy: user.name || user.email,
      options: {
        orderRef: typed('orderRef'),
        items: used.map((index) => ({
          name: typed(`name${index}`),
          // Each line has its own sku, so that it can be refunded alone.
          sku: typed(`sku${index}`) || `item-${index + 1}`,
          price: centsOf(typed(`price${index}`)),
          quantity: Number(typed(`quantity${index}`) || 1),
          imageUrl: '',
          detailUrl: '',
        })),
        ...(typed('tax') !== '' && { tax: centsOf(typed('tax')) }),
        ...(typed('shipping') !== '' && {
          shippingOptions: [{ type: 'Shipping', typeId: SHIPPING_ID, cost: centsOf(typed('shipping')) }],
        }),
      },
    },
    CreateCartRequest,
  );
  const { database, callbacks } = deps;
  const { cart } = await createCart(database, merchant, request, now, { callbacks, userId: user.id });
  return { redirect: to(`links/${cart.id}`), done: 'links.created' };
}
