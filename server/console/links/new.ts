import { html } from '@lit-labs/ssr';
import { create } from 'superstruct';
import { dateIn } from '../../../shared/dates.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { createCart } from '../../carts/carts.ts';
import type { Html } from '../../http/html.ts';
import { textField } from '../../pages/elements.ts';
import { hiddenField, readForm, redisplayedForm } from '../../pages/read-form.ts';
import { centsOf } from '../../transactions/search.ts';
import { lastUsDate, plusDays } from '../../time.ts';
import { identifierRule, submitButton, textRule } from '../web/form.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';

/** Items that the form shows at first, and at most. */
const FIRST_ITEMS = 3;
const MAX_ITEMS = 50;

/** Default number of days for which a link works. */
const DAYS = 7;

/** The only shipping option of a link with a cost of shipping. */
const SHIPPING_ID = 'shipping';

/** The form that creates a link for a phone or store order. */
export const newLink: Screen = {
  path: 'links/new',
  permission: 'sell',
  actions: [{ isSensitive: false, submit: createLink }],
  show: async (request) => {
    const { t, to, form, formState, now } = request;
    const own = t.console.links;
    const isFirst = Object.keys(formState.values).length === 0;
    const values = isFirst ? { lastDay: dateIn(plusDays(now, DAYS), 'UTC') } : formState.values;
    const state = { ...formState, values };
    const dollars = { autocomplete: 'off', inputmode: 'decimal', prefix: '$', isOptional: true, isHalfWidth: true };
    return {
      title: own.create,
      content: html`<p><a href="${to('links')}">${own.back}</a></p>
        ${form(
          'links/new',
          html`${textField(t, state, { name: 'orderRef', label: own.orderRef, hint: own.orderRefHint, autocomplete: 'off', isOptional: true })}
            ${Array.from({ length: itemCount(values['items']) }, (_, index) => itemFields(request, state, index))}
            <input type="hidden" name="items" value="${itemCount(values['items'])}" />
            <p><button name="more" value="yes" class="quiet">${own.moreItems}</button></p>
            <div class="pair">
              ${textField(t, state, { name: 'tax', label: own.tax, ...dollars })}
              ${textField(t, state, { name: 'shipping', label: own.shipping, hint: own.shippingHint, ...dollars })}
            </div>
            ${textField(t, state, { name: 'lastDay', label: own.lastDay, type: 'date', autocomplete: 'off' })} ${submitButton(own.create)}`,
        )}`,
    };
  },
};

function itemFields({ t }: ConsoleRequest, state: ConsoleRequest['formState'], index: number): Html {
  const own = t.console.links;
  const common = { autocomplete: 'off', isOptional: index > 0 };
  return html`<fieldset class="item">
    <legend>${own.item} ${index + 1}</legend>
    ${textField(t, state, { name: `name${index}`, label: own.itemName, ...common })}
    <div class="pair">
      ${textField(t, state, { name: `price${index}`, label: own.price, inputmode: 'decimal', prefix: '$', ...common })}
      ${textField(t, state, { name: `quantity${index}`, label: own.quantity, inputmode: 'numeric', autocomplete: 'off', isOptional: true })}
      ${textField(t, state, { name: `sku${index}`, label: own.sku, autocomplete: 'off', isOptional: true })}
    </div>
  </fieldset>`;
}

/** Returns the number of items of a form. @param typed - Unknown input. */
function itemCount(typed: string | undefined): number {
  const count = Number(typed);
  return Number.isInteger(count) && count > FIRST_ITEMS && count <= MAX_ITEMS ? count : FIRST_ITEMS;
}

/** An amount below a million dollars. */
const isAmount = (text: string): boolean => (centsOf(text) ?? Number.NaN) < 100_000_000;

const optionalDollars = textRule(
  (text) => text === '' || isAmount(text),
  (t) => t.console.links.messages.amount,
);
const rules = {
  orderRef: identifierRule(
    (text) => text.length <= 200,
    (t) => t.console.links.messages.orderRef,
  ),
  tax: optionalDollars,
  shipping: optionalDollars,
};
const itemRules = {
  name: textRule(
    (text) => text !== '' && text.length <= 200,
    (t) => t.console.links.messages.itemName,
  ),
  price: textRule(isAmount, (t) => t.console.links.messages.amount),
  quantity: textRule(
    (text) => text === '' || /^[1-9]\d{0,3}$/.test(text),
    (t) => t.console.links.messages.quantity,
  ),
  sku: identifierRule(
    (text) => text.length <= 200,
    (t) => t.console.links.messages.sku,
  ),
};

/** Creates a link, or shows the form with more items. */
async function createLink({ deps, merchant, user, to, now, t }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const count = itemCount(hiddenField(body, 'items'));
  const used = Array.from({ length: count }, (_, index) => index).filter(
    (index) => index === 0 || Object.keys(itemRules).some((name) => hiddenField(body, name + index).trim() !== ''),
  );
  const ofItems = used.flatMap((index) => Object.entries(itemRules).map(([name, rule]) => [name + index, rule] as const));
  const lastDay = textRule(
    (text) => CalendarDate.is(text) && text >= lastUsDate(now),
    (texts) => texts.console.links.messages.lastDay,
  );
  const read = readForm<Record<string, (typeof rules)['tax']>>({ ...Object.fromEntries(ofItems), ...rules, lastDay }, body);
  const values = { ...redisplayedForm(body), ...read.values };
  if (hiddenField(body, 'more') !== '') {
    return { ok: false, values: { ...values, items: String(Math.min(MAX_ITEMS, count + FIRST_ITEMS)) }, errors: {} };
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
          shippingOptions: [{ type: t.console.links.shipping, typeId: SHIPPING_ID, cost: centsOf(typed('shipping')) }],
        }),
      },
    },
    CreateCartRequest,
  );
  const { database, callbacks } = deps;
  const { cart } = await createCart(database, merchant, request, now, { callbacks, userId: user.id });
  return { redirect: to(`links/${cart.id}`), done: 'links.created' };
}
