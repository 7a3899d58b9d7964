import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/pages/html.ts';
import { addKeyPair, listKeys, retireKey } from '../../merchants/keys.ts';
import { changeMerchant, isPageAddress } from '../../merchants/merchants.ts';
import { type MerchantKey, originsOf } from '../../merchants/store.ts';
import { textField } from '../../http/pages/elements.ts';
import { hiddenField, readForm } from '../../http/pages/read-form.ts';
import { badge, copyable, details, panel, identifierRule, submitButton } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsolePage, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** Retired keys that are listed. */
const MAX_RETIRED = 10;

/** The keys of the merchant, and the origins of its pages. */
export const showKeys: Show = async (request) => {
  const { deps, merchant, form, time, to } = request;
  const all = (await listKeys(deps.database.query, merchant.id)).toReversed();
  const active = all.filter(isActive);
  const retired = all.filter((key) => !isActive(key)).slice(0, MAX_RETIRED);
  return {
    title: 'API keys',
    content: html`<p class="lead">Your server calls the API with a key and its secret. Pages use the key alone. To rotate: create a key, deploy it, then retire the old one.</p>
    ${list({
      caption: 'API keys',
      rows: [...active, ...retired],
      empty: 'There is no key.',
      columns: [
        { label: 'API key', cell: ({ apiKey }) => copyable(apiKey) },
        { label: 'Created', cell: ({ createdAt }) => time(createdAt) },
        { label: 'Status', cell: (key) => keyStatus(request, key) },
        {
          label: '',
          cell: (key) =>
            isActive(key) && active.length > 1
              ? html`<a href="${to(`developers/keys/${key.apiKey}`)}">Retire the key</a>`
              : nothing,
        },
      ],
    })}
    ${panel('Create a key', form('developers/keys', html`<p>Other keys stay active. The secret is shown once.</p>${submitButton('Create a key')}`))}
    ${originsPanel(request, await originsOf(deps.database.query, merchant.id))}`,
  };
};

const isActive = ({ retiredAt }: MerchantKey): boolean => retiredAt === null;

function keyStatus({ time }: ConsoleRequest, { retiredAt }: MerchantKey): Html {
  if (retiredAt === null) return badge('Active', 'good');
  return html`<span>${badge('Retired')} <small>${time(retiredAt)}</small></span>`;
}

function originsPanel({ form, formState, merchant }: ConsoleRequest, origins: readonly string[]): Html {
  const ofStore = new URL(merchant.storeUrl).origin;
  return panel(
    'Origins',
    html`<p>Pages of these origins may use the API key and show the checkout in a frame.</p>
      ${list({
        caption: 'Origins',
        rows: origins,
        columns: [
          { label: 'Origin', cell: (origin) => html`<code>${origin}</code>` },
          {
            label: '',
            cell: (origin) =>
              origin === ofStore
                ? badge('Your store')
                : form(
                    'developers/origins/remove',
                    html`<input type="hidden" name="origin" value="${origin}" />
                      <button class="quiet" aria-label="Remove ${origin}">Remove</button>`,
                    { isInline: true },
                  ),
          },
        ],
      })}
      ${form(
        'developers/origins',
        html`${textField(t, formState, { name: 'origin', label: 'Add an origin', hint: 'Such as https://shop.example', autocomplete: 'off', type: 'url' })}
        ${submitButton('Add an origin')}`,
      )}`,
  );
}

/** Creates a key pair, and shows its secret. */
export async function createKey(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, merchant, actor } = request;
  const { database, mode, realClock } = deps;
  const { apiKey, secret } = await addKeyPair(database, mode, merchant.id, realClock.now(), actor);
  const rows = [
    ['API key', copyable(apiKey)],
    ['Secret', copyable(secret, 'the secret')],
    ['For samples', copyable(`export KEY=${apiKey}\nexport SECRET=${secret}`, 'both lines')],
  ] as const;
  return secretPage(request, { title: 'New API key', rows, back: 'developers' });
}

/** A new secret. It is part of no other page, and of no address: the response to the form that has created it shows it once. */
export function secretPage(
  { to }: ConsoleRequest,
  { title, rows, back }: { title: string; rows: readonly (readonly [label: string, value: Html])[]; back: string },
): ConsolePage {
  return {
    title,
    content: html`<p class="lead">Copy the secret to your server now. It is shown only this once.</p>
      ${details(rows)}
      <p><a class="button" href="${to(back)}">I have saved it</a></p>`,
  };
}

/** One active key, and how to retire it. */
export const showKey: Show = async (request) => {
  const { form, time, to } = request;
  const found = await findOwnKey(request);
  if (!found) return undefined;
  return {
    title: 'API key',
    content: html`<p><a href="${to('developers')}">Back to the keys</a></p>
      ${details([
        ['API key', copyable(found.apiKey)],
        ['Created', time(found.createdAt)],
        ['Status', keyStatus(request, found)],
      ])}
      ${
        isActive(found)
          ? panel(
              'Retire the key',
              form(
                `developers/keys/${found.apiKey}`,
                html`<p>Requests with this key are rejected at once, and buttons of pages that use it stop working. This cannot be undone.</p>${submitButton('Retire the key', 'danger')}`,
              ),
            )
          : nothing
      }`,
  };
};

async function findOwnKey({ deps, merchant, id }: ConsoleRequest): Promise<MerchantKey | undefined> {
  return (await listKeys(deps.database.query, merchant.id)).find(({ apiKey }) => apiKey === id);
}

export async function retire(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, actor, to } = request;
  const found = await findOwnKey(request);
  if (!found) return undefined;
  await retireKey(deps.database, found.apiKey, deps.realClock.now(), actor);
  return { redirect: to('developers'), done: 'developers.keyRetired' };
}

/** Registers an origin. */
export async function addOrigin(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const isPage = (text: string) => isPageAddress(text, request.deps.mode);
  const read = readForm({ origin: identifierRule(isPage, () => 'Enter an address that begins with https://') }, body);
  if (!read.ok) return read;
  return changeOrigins(request, { addOrigins: [read.values.origin] });
}

export async function removeOrigin(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  return changeOrigins(request, { removeOrigins: [hiddenField(body, 'origin')] });
}

async function changeOrigins(
  { deps, merchant, actor, to }: ConsoleRequest,
  change: { addOrigins?: readonly string[]; removeOrigins?: readonly string[] },
): Promise<{ redirect: string; done: 'developers.originsChanged' }> {
  await changeMerchant(deps.database, deps.mode, merchant.id, change, deps.realClock.now(), actor);
  return { redirect: to('developers'), done: 'developers.originsChanged' };
}
