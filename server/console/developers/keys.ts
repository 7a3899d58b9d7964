import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import { addKeyPair, listKeys, retireKey } from '../../merchants/keys.ts';
import { changeMerchant, isPageAddress } from '../../merchants/merchants.ts';
import { type MerchantKey, originsOf } from '../../merchants/store.ts';
import { textField } from '../../pages/elements.ts';
import { hiddenField, readForm } from '../../pages/read-form.ts';
import { badge, copyable, details, panel } from '../web/elements.ts';
import { identifierRule, submitButton } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';
import { secretPage } from './parts.ts';

/** Retired keys that are listed. */
const MAX_RETIRED = 10;

/** The keys of the merchant, and the origins of its pages. */
export const keys: Screen = {
  path: 'developers',
  tab: (t) => t.console.developers.keys.title,
  permission: 'develop',
  actions: [
    { path: 'developers/keys', submit: createKey },
    { path: 'developers/origins', submit: addOrigin },
    { path: 'developers/origins/remove', submit: removeOrigin },
  ],
  show: async (request) => {
    const { deps, merchant, t, form, time, to } = request;
    const own = t.console.developers.keys;
    const all = (await listKeys(deps.database.query, merchant.id)).toReversed();
    const active = all.filter(isActive);
    const retired = all.filter((key) => !isActive(key)).slice(0, MAX_RETIRED);
    return {
      title: own.title,
      content: html`<p class="lead">${own.lead}</p>
      ${list(t, {
        caption: own.title,
        rows: [...active, ...retired],
        empty: own.empty,
        columns: [
          { label: own.apiKey, cell: ({ apiKey }) => copyable(t, apiKey) },
          { label: own.created, cell: ({ createdAt }) => time(createdAt) },
          { label: own.status, cell: (key) => statusOf(request, key) },
          {
            label: '',
            cell: (key) =>
              isActive(key) && active.length > 1
                ? html`<a href="${to(`developers/keys/${key.apiKey}`)}">${own.retire}</a>`
                : nothing,
          },
        ],
      })}
      ${panel(own.create, form('developers/keys', html`<p>${own.createHint}</p>${submitButton(own.create)}`))}
      ${originsPanel(request, await originsOf(deps.database.query, merchant.id))}`,
    };
  },
};

const isActive = ({ retiredAt }: MerchantKey): boolean => retiredAt === null;

function statusOf({ t, time }: ConsoleRequest, { retiredAt }: MerchantKey): Html {
  const own = t.console.developers.keys;
  if (retiredAt === null) return badge(own.active, 'good');
  return html`<span>${badge(own.retired)} <small>${time(retiredAt)}</small></span>`;
}

function originsPanel({ t, form, formState, merchant }: ConsoleRequest, origins: readonly string[]): Html {
  const own = t.console.developers.keys;
  const ofStore = new URL(merchant.storeUrl).origin;
  return panel(
    own.origins,
    html`<p>${own.originsLead}</p>
      ${list(t, {
        caption: own.origins,
        rows: origins,
        empty: '',
        columns: [
          { label: own.origin, cell: (origin) => html`<code>${origin}</code>` },
          {
            label: '',
            cell: (origin) =>
              origin === ofStore
                ? badge(own.ofStore)
                : form(
                    'developers/origins/remove',
                    html`<input type="hidden" name="origin" value="${origin}" />
                      <button class="quiet" aria-label="${own.remove} ${origin}">${own.remove}</button>`,
                    { isInline: true },
                  ),
          },
        ],
      })}
      ${form(
        'developers/origins',
        html`${textField(t, formState, { name: 'origin', label: own.addOrigin, hint: own.originHint, autocomplete: 'off', type: 'url' })}
        ${submitButton(own.addOrigin)}`,
      )}`,
  );
}

/** Creates a key pair, and shows its secret. */
async function createKey(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, merchant, user, t } = request;
  const { database, mode, realClock } = deps;
  const own = t.console.developers.keys;
  const { apiKey, secret } = await addKeyPair(database, mode, merchant.id, realClock.now(), `user:${user.id}`);
  const rows = [
    [own.apiKey, apiKey],
    [own.secret, secret],
  ] as const;
  return secretPage(request, { title: own.createdTitle, rows, back: 'developers' });
}

/** One active key, and how to retire it. */
export const key: Screen = {
  path: 'developers/keys/:id',
  permission: 'develop',
  actions: [{ submit: retire }],
  show: async (request) => {
    const { t, form, time, to } = request;
    const found = await findOwnKey(request);
    if (!found) return undefined;
    const own = t.console.developers.keys;
    return {
      title: own.key,
      content: html`<p><a href="${to('developers')}">${own.back}</a></p>
        ${details([
          [own.apiKey, copyable(t, found.apiKey)],
          [own.created, time(found.createdAt)],
          [own.status, statusOf(request, found)],
        ])}
        ${
          isActive(found)
            ? panel(
                own.retire,
                form(`developers/keys/${found.apiKey}`, html`<p>${own.retireHint}</p>${submitButton(own.retire, 'danger')}`),
              )
            : nothing
        }`,
    };
  },
};

async function findOwnKey({ deps, merchant, params }: ConsoleRequest): Promise<MerchantKey | undefined> {
  return (await listKeys(deps.database.query, merchant.id)).find(({ apiKey }) => apiKey === params['id']);
}

/** Retires a key. */
async function retire(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, user, to } = request;
  const found = await findOwnKey(request);
  if (!found) return undefined;
  await retireKey(deps.database, found.apiKey, deps.realClock.now(), `user:${user.id}`);
  return { redirect: to('developers'), done: 'developers.keyRetired' };
}

/** Registers an origin. */
async function addOrigin(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const isPage = (text: string) => isPageAddress(text, request.deps.mode);
  const read = readForm({ origin: identifierRule(isPage, (t) => t.console.developers.keys.originMessage) }, body);
  if (!read.ok) return read;
  return changeOrigins(request, { addOrigins: [read.values.origin] });
}

/** Removes an origin. */
async function removeOrigin(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  return changeOrigins(request, { removeOrigins: [hiddenField(body, 'origin')] });
}

async function changeOrigins(
  { deps, merchant, user, to }: ConsoleRequest,
  change: { addOrigins?: readonly string[]; removeOrigins?: readonly string[] },
): Promise<{ redirect: string; done: 'developers.originsChanged' }> {
  await changeMerchant(deps.database, deps.mode, merchant.id, change, deps.realClock.now(), `user:${user.id}`);
  return { redirect: to('developers'), done: 'developers.originsChanged' };
}
