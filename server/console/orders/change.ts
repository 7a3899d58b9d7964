import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { is } from 'superstruct';
import { isObject, keysOf } from '../../../shared/objects.ts';
import { ActionRequest, AdjustmentReason, AdjustmentReference, type LineCount } from '../../../shared/wire/transaction.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Html } from '../../http/pages/html.ts';
import { type FormState, textField } from '../../http/pages/elements.ts';
import { centsOf, hiddenField, readForm, redisplayedForm } from '../../http/pages/read-form.ts';
import { refundAsUser, requestRefund, refundRule } from '../approvals/requests.ts';
import { type Decision, readDecision } from '../../purchases/transactions/actions.ts';
import { addQuantities, adjustable, priceOf, remainingQuantities } from '../../purchases/transactions/adjustments.ts';
import { cardStateOf, remainingCardCents } from '../../purchases/transactions/card.ts';
import type { Transaction } from '../../purchases/transactions/store.ts';
import { apiCall, details, panel, choiceRule, identifierRule, submitButton } from '../web/elements.ts';
import { rejectionMessage } from '../web/error-pages.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { REASONS, t } from '../web/texts.ts';
import { inCurrencyOfOrder, orderTitle, statusBadge } from './parts.ts';

/** The texts of each action. */
export const KINDS = {
  authorize: {
    title: 'Authorize the order',
    button: 'Authorize',
    lead: 'You confirm the order and its amount. The card portion, if there is one, is held now.',
  },
  settle: {
    title: 'Settle the order',
    button: 'Settle',
    lead: 'You confirm that the order was shipped. The buyer starts to pay, and the amount is part of your next statement.',
  },
  cancel: {
    title: 'Cancel',
    button: 'Cancel',
    lead: 'The amount is no longer financed. This cannot be undone.',
    preview: 'To cancel',
  },
  refund: {
    title: 'Refund',
    button: 'Refund',
    lead: 'The amount is returned to the buyer. This cannot be undone.',
    preview: 'To refund',
  },
} as const;
type Kind = keyof typeof KINDS;

const USUAL_REASON: AdjustmentReason = 'requested-by-customer';

/** An action of an order before it is confirmed: its changes, and the form that confirms it. */
export const showChange: Show = async (received) => {
  const request = await inCurrencyOfOrder(received);
  const { to, id, formState } = request;
  const kind = kindOf(request);
  if (!kind) return undefined;
  const row = await readOrder(request);
  const remaining = linesOf(row).filter(({ left }) => left > 0);
  const chosen = choose(kind, remaining, shownValues(request));
  const preview = await previewOf(request, row, chosen.action);
  return {
    title: `${KINDS[kind].title}: ${orderTitle(request, row)}`,
    ...(preview.error !== undefined && { formState: { ...formState, formError: () => preview.error! } }),
    content: html`<p><a href="${to(`orders/${id}`)}">Back to the order</a></p>
      <p class="lead">${KINDS[kind].lead}</p>
      ${kind === 'cancel' || kind === 'refund' ? quantitiesForm(request, kind, row, remaining, chosen) : nothing}
      ${preview.decision ? confirmation(request, kind, row, chosen, { ...preview.decision, isRequest: preview.isRequest }) : nothing}`,
  };
};

function kindOf({ params }: ConsoleRequest): Kind | undefined {
  return keysOf(KINDS).find((kind) => kind === params['kind']);
}

function readOrder({ deps, merchant, id, now }: ConsoleRequest): Promise<Transaction> {
  return deps.transactions.get(deps.database.query, { merchantId: merchant.id, id }, now);
}

/** Returns the submitted values, or the parameters of the address if nothing was submitted. */
function shownValues({ formState, query }: ConsoleRequest): Record<string, string> {
  return Object.keys(formState.values).length > 0 ? formState.values : Object.fromEntries(query);
}

/** The items or the amount to cancel or refund. */
interface Chosen {
  /** Undefined if nothing was chosen, or something invalid. */
  action: ActionRequest | undefined;
  /** As typed, by the names of the fields. */
  values: Record<string, string>;
  errors: FormState['errors'];
}

const quantityName = (index: number): string => `quantity-${index}`;

/** A sku of an order. */
interface OrderLine {
  sku: string;
  /** Its place in the order, which names its field. */
  index: number;
  /** The quantity that is left. */
  left: number;
}

function linesOf(row: Transaction): OrderLine[] {
  const left = new Map(remainingQuantities(adjustable(row)).map(({ sku, quantity }) => [sku, quantity]));
  return addQuantities([], adjustable(row).lines).map(({ sku }, index) => ({ sku, index, left: left.get(sku) ?? 0 }));
}

/**
 * Reads the quantities and the amount that were typed. An amount replaces the quantities. Without both, the
 * address selects the `line` with an SKU, or `all` that remains. An address without any of them, such as after signing in again, selects nothing.
 */
function choose(kind: Kind, lines: readonly OrderLine[], typed: Record<string, string>): Chosen {
  if (kind === 'authorize' || kind === 'settle') return { action: { type: kind }, values: {}, errors: {} };
  const isTyped = lines.some(({ index }) => typed[quantityName(index)] !== undefined);
  const { line, all, amount = '' } = typed;
  const values: Record<string, string> = { amount, ...(all !== undefined && { all }) };
  const errors: FormState['errors'] = {};
  const lineItems: LineCount[] = [];
  for (const { sku, index, left } of lines) {
    const name = quantityName(index);
    const text = isTyped ? (typed[name] ?? '').trim() : String(all !== undefined || line === sku ? left : 0);
    values[name] = text;
    const quantity = text === '' ? 0 : /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
    // Also if it is not a number.
    if (!(quantity <= left)) errors[name] = () => 'Enter a whole number, at most the remaining quantity';
    else if (quantity > 0) lineItems.push({ sku, quantity });
  }
  const amountCents = amount === '' ? undefined : centsOf(amount);
  if (amount !== '' && !amountCents) errors['amount'] = () => 'Enter an amount in dollars, such as 19.99';
  // An order without items is changed as a whole: the action names no portion.
  const isEverything = lines.length === 0 && all !== undefined;
  const isChosen = Object.keys(errors).length === 0 && (amountCents !== undefined || lineItems.length > 0 || isEverything);
  const portion = amountCents === undefined ? (isEverything ? {} : { lineItems }) : { amount: amountCents };
  return { action: isChosen ? { type: kind, ...portion } : undefined, values, errors };
}

/** Returns the change that the action would make now, or why it is not possible. */
async function previewOf(
  { user, money, now, deps }: ConsoleRequest,
  row: Transaction,
  action: ActionRequest | undefined,
): Promise<{ decision?: Decision; isRequest?: boolean; error?: string }> {
  if (!action) return { error: 'Enter the quantities, or an amount.' };
  try {
    const decision = await readDecision(deps.database.query, row, action, now);
    if (action.type !== 'refund') return { decision };
    const refund = { transaction: row, userId: user.id, amountCents: decision.entry.amountCents };
    const rule = await refundRule(deps.database.query, refund, now);
    if (rule === 'above-limit')
      return { error: `You can refund up to ${money(user.refundLimitCents ?? 0)}. Ask someone with the role Finance.` };
    if (rule === 'one-is-pending') return { error: 'A refund of this order waits for approval. Approve or reject it first.' };
    return { decision, isRequest: rule === 'after-approval' };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { error: rejectionMessage(thrown) };
  }
}

/** The quantities and the amount, which are sent with GET to calculate them again. */
function quantitiesForm(
  { to, id, money }: ConsoleRequest,
  kind: Kind,
  row: Transaction,
  remaining: readonly OrderLine[],
  { values, errors }: Chosen,
): Html {
  const rows = remaining.map((line) => ({ ...line, item: itemOf(row, line.sku) }));
  return panel(
    'Quantities',
    html`<form method="get" action="${to(`orders/${id}/${kind}`)}" class="quantities" novalidate>
      ${
        rows.length === 0
          ? html`<p>All that remains</p><input type="hidden" name="all" value="yes" />`
          : list({
              caption: 'Quantities',
              rows,
              columns: [
                {
                  label: 'Item',
                  cell: ({ item, sku }) => html`<span dir="auto">${item?.product.name || sku}</span> <small>${sku}</small>`,
                },
                { label: 'Price', cell: ({ item }) => (item ? money(item.price) : ''), isAmount: true },
                { label: 'Remaining', cell: ({ left }) => left, isAmount: true },
                {
                  label: 'Quantity',
                  cell: ({ index, item, sku }) =>
                    quantityInput(index, item?.product.name || sku, values, errors[quantityName(index)]?.(t)),
                  isAmount: true,
                },
              ],
            })
      }
      ${textField(t, { values, errors }, { name: 'amount', label: 'Different amount', hint: 'In dollars. Leave it empty to use the quantities.', autocomplete: 'off', inputmode: 'decimal', prefix: '$', isOptional: true })}
      ${submitButton('Calculate again', 'quiet')}
    </form>`,
  );
}

function quantityInput(index: number, label: string, values: Record<string, string>, error: string | undefined): Html {
  const name = quantityName(index);
  return html`<span class="quantity">
    <input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" value="${values[name] ?? ''}" aria-label="${label}" maxlength="7" aria-invalid="${error ? 'true' : nothing}" aria-describedby="${error ? `${name}-error` : nothing}" />
    ${error ? html`<span class="error" id="${name}-error">${error}</span>` : nothing}
  </span>`;
}

function itemOf({ lineItems }: Transaction, sku: string) {
  return lineItems.find((item) => item.sku === sku);
}

/** Name of the field with the action as the API takes it, which the form confirms. The quantities are only shown again. */
const ACTION = 'action';

/** Name of the field of a form that requests a refund instead of making it. */
const AS_REQUEST = 'asRequest';

/** The changes that the action makes, and the form that confirms it. */
function confirmation(
  request: ConsoleRequest,
  kind: Kind,
  row: Transaction,
  { action, values }: Chosen,
  { isRequest = false, ...decision }: Decision & { isRequest: boolean | undefined },
): Html {
  const { form, formState, merchant, money, id, deps } = request;
  const isAdjustment = kind === 'cancel' || kind === 'refund';
  const amount = money(decision.entry.amountCents);
  const button = isRequest ? `Request the refund of ${amount}` : `${KINDS[kind].button} ${amount}`;
  const state = { ...formState, values: { reason: USUAL_REASON, ...formState.values } };
  const hidden = {
    ...values,
    [ACTION]: JSON.stringify(action),
    revision: String(row.revision),
    ...(isRequest && { [AS_REQUEST]: 'yes' }),
  };
  return panel(
    KINDS[kind].title,
    html`${changeFacts(request, kind, row, decision)}
    ${isRequest ? html`<p>Once your refunds of an order exceed ${money(merchant.refundApprovalCents ?? 0)}, another person must approve them.</p>` : nothing}
    ${form(
      `orders/${id}/${kind}`,
      html`${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${isAdjustment ? reasonFields(state) : nothing}
      ${submitButton(button, isAdjustment ? 'danger' : 'main')}`,
    )}
    ${apiCall(`${deps.mail.publicUrl}/transactions/actions/${row.id}`, action)}`,
  );
}

/** The amounts and the status after an action. */
export function changeFacts(request: ConsoleRequest, kind: Kind, row: Transaction, { after, entry, keptCents }: Decision): Html {
  const { money } = request;
  const isAdjustment = kind === 'cancel' || kind === 'refund';
  const fromCardCents = remainingCardCents(cardStateOf(row)) - remainingCardCents(cardStateOf(after));
  const itemsCents = priceOf(entry.lines ?? [], adjustable(row));
  if (!isAdjustment) return details([['Status afterwards', statusBadge(after.status)]]);
  return details([
    [KINDS[kind].preview, html`<strong>${money(entry.amountCents)}</strong>`],
    ['Price of the items', itemsCents > 0 ? money(itemsCents) : undefined],
    ['Tax, discounts and shipping', itemsCents > 0 ? money(entry.amountCents - itemsCents) : undefined],
    ['Reduces the loan by', money(entry.amountCents - fromCardCents)],
    ['Returned to the card', fromCardCents > 0 ? money(fromCardCents) : undefined],
    ['Kept by earlier refunds', keptCents === undefined ? undefined : money(keptCents)],
    ['Remaining afterwards', money(after.adjustedTotalCents)],
    ['Status afterwards', statusBadge(after.status)],
  ]);
}

function reasonFields(state: FormState): Html {
  const error = state.errors['reason']?.(t);
  return html`<div class="field">
      <label for="reason">Reason</label>
      <select id="reason" name="reason" aria-invalid="${error ? 'true' : nothing}">
        ${keysOf(REASONS).map((reason) => html`<option value="${reason}" ?selected=${state.values['reason'] === reason}>${REASONS[reason]}</option>`)}
      </select>
      ${error ? html`<p class="error">${error}</p>` : nothing}
    </div>
    ${textField(t, state, { name: 'reference', label: 'Your reference', hint: 'Only letters, digits and . _ : / # -. Do not enter names of people.', autocomplete: 'off', isOptional: true })}`;
}

const reasonRules = {
  reason: choiceRule<AdjustmentReason>(keysOf(REASONS), () => 'Choose a reason'),
  reference: identifierRule(
    (text) => text === '' || is(text, AdjustmentReference),
    () => 'Enter at most 100 letters, digits and . _ : / # -',
  ),
};

/** Applies a confirmed action to the order as it was shown: to no other revision of it. */
export async function confirmChange(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const { deps, merchant, user, actor, id, now, to } = request;
  const kind = kindOf(request);
  if (!kind) return undefined;
  const isAdjustment = kind === 'cancel' || kind === 'refund';
  const read = readForm(isAdjustment ? reasonRules : {}, body);
  const confirmed = { ...parsedJson(hiddenField(body, ACTION)), ...(read.ok && read.values) };
  const [error, action] = ActionRequest.validate(confirmed, { coerce: true, mask: true });
  if (!read.ok || error || action.type !== kind) {
    return { ok: false, values: { ...redisplayedForm(body), ...read.values }, errors: read.ok ? {} : read.errors };
  }
  const { database, transactions } = deps;
  const seen = { merchantId: merchant.id, id, revision: Number(hiddenField(body, 'revision')) };
  if (action.type === 'refund' && hiddenField(body, AS_REQUEST) !== '') {
    await requestRefund(deps, user, seen, action, now);
    return { redirect: to(`orders/${id}`), done: 'orders.requested' };
  }
  if (action.type === 'refund') await refundAsUser(deps, user, seen, action, now);
  else await transactions.act({ database, actor, revision: seen.revision }, seen, action, now);
  return { redirect: to(`orders/${id}`), done: `orders.${kind}` };
}

/** Returns the object of a text in JSON; undefined for other texts. */
function parsedJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
