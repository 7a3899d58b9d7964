import { html } from '@lit-labs/ssr';
import { textField } from '../../http/pages/elements.ts';
import { hiddenField, readForm } from '../../http/pages/read-form.ts';
import { createPasskey, creationOptions, MAX_PASSKEY_NAME, removePasskey, renamePasskey } from '../users/passkeys.ts';
import { type Passkey, passkeysOf } from '../users/store.ts';
import { panel, submitButton, textRule } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/**
 * The passkeys of the signed-in user. A passkey is created on the device before its form is posted, so that the page requires the recent
 * sign-in of the form, and `console.js` loads the page again before it creates one.
 */
export const showPasskeys: Show = async (request) => {
  const { deps, user, browserToken, form, formState, time, to } = request;
  const { database, passkeySite, realClock } = deps;
  const rows = await passkeysOf(database.query, user.id);
  const options = await creationOptions(database, passkeySite, user, browserToken, realClock.now());
  return {
    title: 'Your passkeys',
    content: html`<p class="lead">Sign in with your fingerprint, face or screen lock instead of an e-mailed link. A passkey cannot be entered on another site by mistake.</p>
    ${list({
      caption: 'Your passkeys',
      rows,
      empty: 'You have no passkey yet.',
      columns: [
        { label: 'Name', cell: ({ name }) => html`<span dir="auto">${name}</span>` },
        { label: 'Added', cell: ({ createdAt }) => time(createdAt) },
        { label: '', cell: ({ id }) => html`<a href="${to(`settings/passkeys/${id}`)}">Change</a>` },
      ],
    })}
    ${panel(
      'Add a passkey',
      form(
        'settings/passkeys',
        html`<div class="scripted">
            ${textField(t, formState, { name: 'name', label: 'Name', hint: 'Names the device, such as "Work laptop".', autocomplete: 'off' })}
            <input type="hidden" name="credential" />
            <button data-passkey="${JSON.stringify(options)}" data-creates data-failed="The browser did not create a passkey. Try again, or use another device.">Add a passkey</button>
          </div>
          <p class="unscripted">Passkeys need JavaScript, which is turned off in this browser.</p>`,
      ),
    )}`,
  };
};

/** The name of one passkey, and how to remove it. */
export const showPasskey: Show = async (request) => {
  const { form, formState, to } = request;
  const found = await findOwn(request);
  if (!found) return undefined;
  const state = { ...formState, values: { name: found.name, ...formState.values } };
  return {
    title: found.name,
    content: html`<p><a href="${to('settings/passkeys')}">Back to your passkeys</a></p>
      ${panel(
        'Rename the passkey',
        form(
          `settings/passkeys/${found.id}`,
          html`${textField(t, state, { name: 'name', label: 'Name', autocomplete: 'off' })}
          ${submitButton('Rename the passkey')}`,
        ),
      )}
      ${panel('Remove the passkey', form(`settings/passkeys/${found.id}/remove`, html`<p>You can no longer sign in with it. Delete it on the device, too.</p>${submitButton('Remove the passkey', 'danger')}`))}`,
  };
};

async function findOwn({ deps, user, id }: ConsoleRequest): Promise<Passkey | undefined> {
  return (await passkeysOf(deps.database.query, user.id)).find((passkey) => passkey.id === id);
}

const nameRules = {
  name: textRule(
    (text) => text !== '' && text.length <= MAX_PASSKEY_NAME,
    () => 'Enter a name of at most 60 characters',
  ),
};

/** Adds a passkey that the browser has created. */
export async function addPasskey({ deps, user, browserToken, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(nameRules, body);
  if (!read.ok) return read;
  const credential = hiddenField(body, 'credential');
  const created = { name: read.values.name, credential, browserToken };
  await createPasskey(deps.database, deps.passkeySite, user, created, deps.realClock.now());
  return { redirect: to('settings/passkeys'), done: 'settings.passkeyAdded' };
}

export async function rename({ deps, user, id, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(nameRules, body);
  if (!read.ok) return read;
  const isOwn = await renamePasskey(deps.database, user, id, read.values.name);
  return isOwn ? { redirect: to('settings/passkeys'), done: 'settings.passkeyRenamed' } : undefined;
}

export async function remove({ deps, user, id, to }: ConsoleRequest): Promise<ActionResult> {
  const isOwn = await removePasskey(deps.database, user, id, deps.realClock.now());
  return isOwn ? { redirect: to('settings/passkeys'), done: 'settings.passkeyRemoved' } : undefined;
}
