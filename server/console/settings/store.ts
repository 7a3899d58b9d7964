import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { propertyOf } from '../../../shared/objects.ts';
import { line } from '../../../shared/wire/fields.ts';
import type { Html } from '../../http/pages/html.ts';
import { DEFAULT_ACCENT, isAccent, isSupportContact, isLogo } from '../../merchants/brand.ts';
import { previewOf } from '../../checkout/preview.ts';
import { changeMerchant, isPageAddress, isPostalAddress } from '../../merchants/merchants.ts';
import { originsOf } from '../../merchants/store.ts';
import type { Mode } from '../../base/mode.ts';
import { type FormState, textField } from '../../http/pages/elements.ts';
import { centsOf, hiddenField, readForm, redisplayedForm } from '../../http/pages/read-form.ts';
import { changeApprovalSum } from '../approvals/approval-sum.ts';
import { details, panel, identifierRule, submitButton, textRule } from '../web/elements.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** The name, address and brand of a merchant, as buyers see them. */
export const showStore: Show = async (request) => {
  const { deps, merchant, can, money } = request;
  const origins = await originsOf(deps.database.query, merchant.id);
  return {
    title: 'Store',
    hasFrame: true,
    content: html`<p class="lead">Your name, logo, color and contacts as buyers see them in the checkout, in e-mails and on this console.</p>
      ${panel('Preview of the checkout', preview(request))}
      ${panel(
        merchant.name,
        details([
          [LABELS.storeUrl, merchant.storeUrl],
          ['Pages that may use the button', origins.join(', ')],
          [LABELS.supportEmail, merchant.supportEmail],
          [LABELS.supportPhone, merchant.supportPhone],
          [LABELS.supportUrl, merchant.supportUrl],
          [LABELS.postalAddress, merchant.postalAddress],
          ['Second approval of refunds', merchant.refundApprovalCents === null ? undefined : money(merchant.refundApprovalCents)],
        ]),
      )}
      ${can('administer') ? panel('Change', storeForm(request)) : nothing}
      ${can('administer') ? panel('Second approval of refunds', approvalForm(request)) : nothing}`,
  };
};

/** The first page of the merchant's checkout, with a sample cart, in a frame. It cannot be used there. */
function preview({ to }: ConsoleRequest): Html {
  const address = to('settings/preview');
  return html`<iframe src="${address}" title="Preview of the checkout" inert></iframe>
    <p><a href="${address}">Open the preview alone</a></p>`;
}

/** The policy of the preview: it has no script, and submits nothing. Pages of the checkout keep theirs. */
const PREVIEW_POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'";

export const showPreview: Show = async ({ deps, merchant, query, now }) => {
  const document = await previewOf(deps.database.query, merchant, deps.mail, query.get('lang'), now);
  return document === undefined ? undefined : { document, policy: PREVIEW_POLICY };
};

const BRAND_FIELDS = ['accent', 'supportEmail', 'supportPhone', 'supportUrl'] as const;
const FIELDS = ['name', 'storeUrl', ...BRAND_FIELDS, 'postalAddress'] as const;

const LABELS: Record<(typeof FIELDS)[number], string> = {
  name: 'Name',
  storeUrl: 'Address of the store',
  accent: 'Accent color',
  supportEmail: 'E-mail address for buyers',
  supportPhone: 'Phone number for buyers',
  supportUrl: 'Help page for buyers',
  postalAddress: 'Postal address',
};

/** Name of the field with the value before a change. Only what was changed is saved, because someone else may change the rest meanwhile. */
const nameBefore = (name: string): string => `before-${name}`;

function storeForm({ form, formState, merchant }: ConsoleRequest): Html {
  const stored = Object.fromEntries(
    FIELDS.flatMap((name) => [
      [name, merchant[name] ?? ''],
      [nameBefore(name), merchant[name] ?? ''],
    ]),
  );
  const state: FormState = { ...formState, values: { ...stored, ...formState.values } };
  const typedAccent = state.values['accent'] ?? '';
  // Has no name, because it cannot be empty: only the field beside it is sent.
  const picker = html`<input type="color" class="scripted" data-picks="accent" value="${isAccent(typedAccent) ? typedAccent : DEFAULT_ACCENT}" aria-label="Pick the accent color" />`;
  const field = (name: (typeof FIELDS)[number], hint?: string, type = 'text') =>
    html`<input type="hidden" name="${nameBefore(name)}" value="${state.values[nameBefore(name)]}" />
    ${textField(t, state, {
      name,
      label: LABELS[name],
      autocomplete: 'off',
      type,
      isOptional: name !== 'name' && name !== 'storeUrl',
      ...(hint !== undefined && { hint }),
      ...(name === 'accent' && { beside: picker }),
    })}`;
  return form(
    'settings',
    html`${field('name')} ${field('storeUrl', 'Buyers return here from a cart without another address. Pages of this site may show the button.', 'url')} ${field('accent', 'Of links and buttons, such as #0b5d4e. It is made darker or lighter where it could not be read.')}
      <div class="field">
        <label for="logo">Logo</label>
        <p class="hint" id="logo-hint">PNG, JPEG or WebP with at most 64 KB and 4 million pixels, made for a white background.</p>
        <input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint" />
        ${state.errors['logo'] ? html`<p class="error">${state.errors['logo'](t)}</p>` : nothing}
      </div>
      ${merchant.logo ? html`<label class="choice"><input type="checkbox" name="removeLogo" value="yes" />Remove the logo</label>` : nothing}
      ${field('supportEmail', undefined, 'email')} ${field('supportPhone', undefined, 'tel')}
      ${field('supportUrl', 'An https address.', 'url')}
      ${field('postalAddress', 'On one line. US law (CAN-SPAM) requires it in the e-mails with links to carts.')} ${submitButton('Save')}`,
    { hasFile: true },
  );
}

const rulesOf = (mode: Mode) => ({
  name: textRule(line(200, 1), () => 'Enter a name of at most 200 characters'),
  storeUrl: identifierRule(
    (text) => isPageAddress(text, mode),
    () => 'Enter an address that begins with https://',
  ),
  accent: textRule(
    (text) => text === '' || isAccent(text),
    () => 'Enter a color of six digits, such as #0b5d4e, or nothing',
  ),
  supportEmail: contactRule('supportEmail', 'Enter an e-mail address, such as help@example.com, or nothing'),
  supportPhone: contactRule('supportPhone', 'Enter a phone number, such as 1-800-555-0100, or nothing'),
  supportUrl: contactRule('supportUrl', 'Enter an address that begins with https://, or nothing'),
  postalAddress: identifierRule(
    isPostalAddress,
    () => 'Enter an address such as 12 Elm Street, Springfield, IL 62701, or nothing',
  ),
});

function contactRule(name: 'supportEmail' | 'supportPhone' | 'supportUrl', message: string) {
  return identifierRule(
    (text) => text === '' || isSupportContact(name, text),
    () => message,
  );
}

export async function saveStore({ deps, merchant, actor, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(rulesOf(deps.mode), body);
  const values = { ...redisplayedForm(body), ...read.values };
  if (!read.ok) return { ...read, values };
  const file = propertyOf(body, 'logo');
  const logo = Buffer.isBuffer(file) && file.length > 0 ? file : undefined;
  if (logo && !isLogo(logo))
    return {
      ok: false,
      values,
      errors: { logo: () => 'Choose a complete PNG, JPEG or WebP picture of at most 64 KB and 4 million pixels' },
    };
  const removesLogo = logo === undefined && hiddenField(body, 'removeLogo') === 'yes';
  const changed = FIELDS.filter((name) => read.values[name] !== hiddenField(body, nameBefore(name)));
  const typed = (name: (typeof FIELDS)[number]) => (changed.includes(name) && read.values[name]) || undefined;
  const change = {
    name: typed('name'),
    storeUrl: typed('storeUrl'),
    postalAddress: changed.includes('postalAddress') ? read.values.postalAddress : undefined,
    logo,
    accent: typed('accent'),
    support: [typed('supportEmail'), typed('supportPhone'), typed('supportUrl')].filter((contact) => contact !== undefined),
    removeBrand: [
      ...BRAND_FIELDS.filter((name) => changed.includes(name) && read.values[name] === ''),
      ...(removesLogo ? (['logo'] as const) : []),
    ],
  };
  await changeMerchant(deps.database, deps.mode, merchant.id, change, deps.realClock.now(), actor);
  return { redirect: to('settings'), done: 'settings.saved' };
}

function approvalForm({ form, formState, merchant }: ConsoleRequest): Html {
  const stored = merchant.refundApprovalCents === null ? '' : (merchant.refundApprovalCents / 100).toFixed(2);
  const state: FormState = { ...formState, values: { refundApproval: stored, ...formState.values } };
  const field = {
    name: 'refundApproval',
    label: 'Refunds above',
    hint: 'In the console, another person must approve refunds of an order above this sum. API keys are not limited. Leave it empty to require no approval. If you raise or remove it, the other administrators receive an e-mail.',
    autocomplete: 'off',
  };
  return form(
    'settings/approval',
    html`${textField(t, state, { ...field, inputmode: 'decimal', prefix: '$', isOptional: true })} ${submitButton('Save')}`,
  );
}

const approvalRules = {
  refundApproval: textRule(
    (text) => text === '' || (centsOf(text) ?? 0) > 0,
    () => 'Enter an amount, such as 500, or nothing',
  ),
};

/** Saves the sum of refunds above which a second person has to approve. */
export async function saveApproval({ deps, merchant, user, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(approvalRules, body);
  if (!read.ok) return read;
  const cents = centsOf(read.values.refundApproval) ?? null;
  await changeApprovalSum(deps, merchant.id, cents, user, deps.realClock.now());
  return { redirect: to('settings'), done: 'settings.saved' };
}
