import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { propertyOf } from '../../../shared/objects.ts';
import { line } from '../../../shared/wire/fields.ts';
import type { Html } from '../../http/html.ts';
import { isAccent, isSupportContact, isLogo, logoPath } from '../../merchants/brand.ts';
import { changeMerchant, isPageAddress } from '../../merchants/merchants.ts';
import { type Merchant, originsOf } from '../../merchants/store.ts';
import type { Mode } from '../../mode.ts';
import { type FormState, textField } from '../../pages/elements.ts';
import { hiddenField, readForm, redisplayedForm } from '../../pages/read-form.ts';
import type { Texts } from '../../texts.ts';
import { changeApprovalSum } from '../../refund-requests/approval-sum.ts';
import { centsOf } from '../../transactions/search.ts';
import { details, panel } from '../web/elements.ts';
import { identifierRule, submitButton, textRule } from '../web/form.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';

/** The name, address and brand of a merchant, as buyers see them. */
export const store: Screen = {
  path: 'settings',
  tab: (t) => t.console.settings.store.title,
  permission: 'view',
  actions: [
    { permission: 'administer', hasFile: true, submit: saveStore },
    { path: 'settings/approval', permission: 'administer', submit: saveApproval },
  ],
  show: async (request) => {
    const { deps, merchant, t, can, money } = request;
    const own = t.console.settings.store;
    const origins = await originsOf(deps.database.query, merchant.id);
    return {
      title: own.title,
      content: html`<p class="lead">${own.lead}</p>
        ${panel(own.preview, preview(t, merchant))}
        ${panel(
          merchant.name,
          html`${details([
            [own.storeUrl, merchant.storeUrl],
            [own.origins, origins.join(', ')],
            [own.supportEmail, merchant.supportEmail],
            [own.supportPhone, merchant.supportPhone],
            [own.supportUrl, merchant.supportUrl],
            [own.approval, merchant.refundApprovalCents === null ? undefined : money(merchant.refundApprovalCents)],
          ])}`,
        )}
        ${can('administer') ? panel(own.change, storeForm(request)) : nothing}
        ${can('administer') ? panel(own.approval, approvalForm(request)) : nothing}`,
    };
  },
};

/** The head of a page of the checkout. This page has the accent color of the merchant, too. */
function preview(t: Texts, { logo, name }: Merchant): Html {
  const own = t.console.settings.store;
  return html`<div class="preview">
    <p dir="auto">${logo ? html`<img src="${logoPath(logo)}" alt="${name}" height="40" />` : name}</p>
    <p><strong>${own.previewTitle}</strong></p>
    <p><span class="button">${own.previewButton}</span> <a href="#main">${own.previewLink}</a></p>
  </div>`;
}

const BRAND_FIELDS = ['accent', 'supportEmail', 'supportPhone', 'supportUrl'] as const;
const FIELDS = ['name', 'storeUrl', ...BRAND_FIELDS] as const;

/** Name of the field with the value before a change. Only what was changed is saved, because someone else may change the rest meanwhile. */
const nameBefore = (name: string): string => `before-${name}`;

function storeForm({ t, form, formState, merchant }: ConsoleRequest): Html {
  const own = t.console.settings.store;
  const stored = Object.fromEntries(
    FIELDS.flatMap((name) => [
      [name, merchant[name] ?? ''],
      [nameBefore(name), merchant[name] ?? ''],
    ]),
  );
  const state: FormState = { ...formState, values: { ...stored, ...formState.values } };
  const field = (name: (typeof FIELDS)[number], hint?: string, type = 'text') =>
    html`<input type="hidden" name="${nameBefore(name)}" value="${state.values[nameBefore(name)]}" />
    ${textField(t, state, {
      name,
      label: own[name],
      autocomplete: 'off',
      type,
      isOptional: name !== 'name' && name !== 'storeUrl',
      ...(hint !== undefined && { hint }),
    })}`;
  return form(
    'settings',
    html`${field('name')} ${field('storeUrl', own.storeUrlHint, 'url')} ${field('accent', own.accentHint)}
      <div class="field">
        <label for="logo">${own.logo}</label>
        <p class="hint" id="logo-hint">${own.logoHint}</p>
        <input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint" />
        ${state.errors['logo'] ? html`<p class="error">${state.errors['logo'](t)}</p>` : nothing}
      </div>
      ${merchant.logo ? html`<label class="choice"><input type="checkbox" name="removeLogo" value="yes" />${own.removeLogo}</label>` : nothing}
      ${field('supportEmail', undefined, 'email')} ${field('supportPhone', undefined, 'tel')}
      ${field('supportUrl', own.supportUrlHint, 'url')} ${submitButton(own.save)}`,
    { hasFile: true },
  );
}

const rulesOf = (mode: Mode) => ({
  name: textRule(line(200, 1), (t) => t.console.settings.store.messages.name),
  storeUrl: identifierRule(
    (text) => isPageAddress(text, mode),
    (t) => t.console.settings.store.messages.storeUrl,
  ),
  accent: textRule(
    (text) => text === '' || isAccent(text),
    (t) => t.console.settings.store.messages.accent,
  ),
  supportEmail: contactRule('supportEmail'),
  supportPhone: contactRule('supportPhone'),
  supportUrl: contactRule('supportUrl'),
});

function contactRule(name: 'supportEmail' | 'supportPhone' | 'supportUrl') {
  return identifierRule(
    (text) => text === '' || isSupportContact(name, text),
    (t) => t.console.settings.store.messages[name],
  );
}

/** Saves the settings of a merchant. */
async function saveStore({ deps, merchant, user, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(rulesOf(deps.mode), body);
  const values = { ...redisplayedForm(body), ...read.values };
  if (!read.ok) return { ...read, values };
  const file = propertyOf(body, 'logo');
  const logo = Buffer.isBuffer(file) && file.length > 0 ? file : undefined;
  if (logo && !isLogo(logo)) return { ok: false, values, errors: { logo: (t) => t.console.settings.store.messages.logo } };
  const removesLogo = logo === undefined && hiddenField(body, 'removeLogo') === 'yes';
  const changed = FIELDS.filter((name) => read.values[name] !== hiddenField(body, nameBefore(name)));
  const typed = (name: (typeof FIELDS)[number]) => (changed.includes(name) && read.values[name]) || undefined;
  const change = {
    name: typed('name'),
    storeUrl: typed('storeUrl'),
    logo,
    accent: typed('accent'),
    support: [typed('supportEmail'), typed('supportPhone'), typed('supportUrl')].filter((contact) => contact !== undefined),
    removeBrand: [
      ...BRAND_FIELDS.filter((name) => changed.includes(name) && read.values[name] === ''),
      ...(removesLogo ? (['logo'] as const) : []),
    ],
  };
  await changeMerchant(deps.database, deps.mode, merchant.id, change, deps.realClock.now(), `user:${user.id}`);
  return { redirect: to('settings'), done: 'settings.saved' };
}

function approvalForm({ t, form, formState, merchant }: ConsoleRequest): Html {
  const own = t.console.settings.store;
  const stored = merchant.refundApprovalCents === null ? '' : (merchant.refundApprovalCents / 100).toFixed(2);
  const state: FormState = { ...formState, values: { refundApproval: stored, ...formState.values } };
  const field = { name: 'refundApproval', label: own.refundApproval, hint: own.refundApprovalHint, autocomplete: 'off' };
  return form(
    'settings/approval',
    html`${textField(t, state, { ...field, inputmode: 'decimal', prefix: '$', isOptional: true })} ${submitButton(own.save)}`,
  );
}

const approvalRules = {
  refundApproval: textRule(
    (text) => text === '' || (centsOf(text) ?? 0) > 0,
    (t) => t.console.settings.store.messages.refundApproval,
  ),
};

/** Saves the sum of refunds above which a second person has to approve. */
async function saveApproval({ deps, merchant, user, t, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(approvalRules, body);
  if (!read.ok) return read;
  const cents = centsOf(read.values.refundApproval) ?? null;
  const { database, mode, publicUrl, operator, messageHandlings, messageLimits, realClock } = deps;
  const mail = { publicUrl, operator, handling: messageHandlings.email };
  const ofChange = { database, mode, mail, limits: messageLimits.email };
  await changeApprovalSum(ofChange, merchant.id, cents, user, t.language, realClock.now());
  deps.onEnqueued();
  return { redirect: to('settings'), done: 'settings.saved' };
}
