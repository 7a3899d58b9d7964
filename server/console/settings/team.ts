import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { isPersonName } from '../../../shared/person-name.ts';
import { Email } from '../../../shared/wire/contact-fields.ts';
import type { Html } from '../../http/pages/html.ts';
import { activeKeysCreatedBy, type MerchantKey } from '../../merchants/store.ts';
import { choiceField, type FormState, textField } from '../../http/pages/elements.ts';
import { centsOf, readForm, withRefusedCharacter } from '../../http/pages/read-form.ts';
import { isPermitted, refundLimitOf, type Role, ROLES } from '../users/roles.ts';
import { findUser, listUsers, type User } from '../users/store.ts';
import { changeRole, inviteUser, isSamePerson, isVisibleTo, removeUser } from '../users/users.ts';
import { badge, copyable, details, panel, choiceRule, submitButton, textRule } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { ROLE_TEXTS, t } from '../web/texts.ts';

/** The people who use the console of a merchant, and the form that invites others. */
export const showTeam: Show = async (request) => {
  const { deps, merchant, can, to } = request;
  const users = await listUsers(deps.database.query, { tenantId: merchant.tenantId, merchantId: merchant.id });
  return {
    title: 'Team',
    content: html`${list({
      caption: 'Team',
      rows: users,
      empty: 'No one has been invited yet.',
      columns: [
        { label: 'Person', cell: (user) => personCell(request, user) },
        { label: 'Role', cell: ({ role }) => ROLE_TEXTS[role].name },
        { label: 'Refunds up to', cell: (user) => refundsOf(request, user), isAmount: true },
        ...(can('administer')
          ? [{ label: '', cell: ({ id }: User) => html`<a href="${to(`settings/team/${id}`)}">Change</a>` }]
          : []),
      ],
    })}
    ${can('administer') ? panel('Invite a person', inviteForm(request)) : nothing}`,
  };
};

function personCell({ user: self }: ConsoleRequest, { id, name, email, merchantId }: User): Html {
  return html`<span dir="auto">${name || email}</span> ${isSamePerson({ id, email }, self) ? badge('You') : nothing}
    ${merchantId === null ? badge('All merchants') : nothing} ${name ? html`<small>${email}</small>` : nothing}`;
}

function refundsOf({ money }: ConsoleRequest, user: User): string {
  if (!isPermitted(user.role, 'refund')) return '–';
  const limitCents = refundLimitOf(user);
  return limitCents === null ? 'Any amount' : money(limitCents);
}

function inviteForm({ form, formState, user }: ConsoleRequest): Html {
  return form(
    'settings/team',
    html`${textField(t, formState, { name: 'email', label: 'E-mail address', autocomplete: 'off', type: 'email' })}
    ${textField(t, formState, { name: 'name', label: 'Name', autocomplete: 'off', isOptional: true })}
    ${
      user.merchantId === null
        ? choiceField(t, formState, 'scope', 'Access to', [
            { value: 'merchant', label: 'This merchant' },
            { value: 'tenant', label: 'All merchants' },
          ])
        : nothing
    }
    ${roleFields(formState)} ${submitButton('Send the invitation')}`,
  );
}

function roleFields(state: FormState): Html {
  const choices = ROLES.map((role) => ({ value: role, label: ROLE_TEXTS[role].name, hint: ROLE_TEXTS[role].may }));
  return html`${choiceField(t, state, 'role', 'Role', choices)}
  ${textField(t, state, { name: 'limit', label: 'Refunds up to', hint: 'For the role Support, in whole dollars. Without a limit, the person keeps the present one, or gets the usual one of $500.', autocomplete: 'off', inputmode: 'decimal', isOptional: true, prefix: '$' })}`;
}

/** Whole dollars up to a million, or nothing. */
function isLimit(text: string): boolean {
  const cents = centsOf(text) ?? Number.NaN;
  return text === '' || (cents % 100 === 0 && cents <= 100_000_000);
}

const roleRules = {
  role: choiceRule<Role>(ROLES, () => 'Choose a role'),
  limit: textRule(isLimit, () => 'Enter whole dollars, at most 1,000,000'),
};

const invitationRules = {
  email: textRule(Email, () => 'Enter an e-mail address, such as name@example.com'),
  name: textRule(
    (text) => text === '' || isPersonName(text),
    (_, text) => {
      const message = 'Enter the name of a person';
      return withRefusedCharacter(t, message, text) ?? message;
    },
  ),
  scope: choiceRule(['', 'merchant', 'tenant'], () => 'Choose what the person has access to'),
  ...roleRules,
};

/** Invites a person. A sandbox sends nothing, and shows the link of a new user, but not that of an existing user, whose account it opens. */
export async function invite({ deps, merchant, user, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(invitationRules, body);
  if (!read.ok) return read;
  const { email, name, role, limit, scope } = read.values;
  const { database, mail, mode, realClock } = deps;
  const merchantId = scope === 'tenant' && user.merchantId === null ? null : merchant.id;
  const invited = { tenantId: merchant.tenantId, merchantId, email, name, role, refundLimitCents: centsOf(limit) };
  const { path, isNew } = await inviteUser(database, invited, user, mail, realClock.now());
  if (mode === 'live' || !isNew)
    return { redirect: to('settings/team'), done: isNew ? 'settings.invited' : 'settings.hasAccount' };
  return {
    title: 'Invitation',
    content: html`<p class="lead">The sandbox sends no e-mails. Open this link in another browser to accept the invitation, once and within 7 days.</p>
      <p>${copyable(mail.publicUrl + path, 'the link')}</p>
      <p><a href="${to('settings/team')}">Back to the team</a></p>`,
  };
}

/** One person: their role, and how to remove them. */
export const showMember: Show = async (request) => {
  const { form, formState, money, to, time, user: self } = request;
  const user = await findMember(request);
  if (!user) return undefined;
  const keys = await activeKeysCreatedBy(request.deps.database.query, `user:${user.id}`);
  const canChange = !isSamePerson(user, self) && isVisibleTo(user, self);
  const limitCents = refundLimitOf(user);
  const limit = user.refundLimitCents === null ? '' : String(user.refundLimitCents / 100);
  const isRejected = Object.keys(formState.values).length > 0;
  const state = isRejected ? formState : { ...formState, values: { role: user.role, limit } };
  return {
    title: user.name || user.email,
    content: html`<p><a href="${to('settings/team')}">Back to the team</a></p>
      ${details([
        ['E-mail address', user.email],
        ['Role', ROLE_TEXTS[user.role].name],
        ['Refunds up to', limitCents === null ? undefined : money(limitCents)],
        ['Access to', user.merchantId === null ? 'All merchants' : 'This merchant'],
        ['Invited', time(user.createdAt)],
      ])}
      ${
        canChange
          ? html`${panel('Change the role', form(`settings/team/${user.id}`, html`<p>The person is signed out, and gets the new role with the next sign-in.</p>${roleFields(state)} ${submitButton('Change the role')}`))}
            ${panel(
              'Remove the person',
              html`${keys.length > 0 ? createdKeys(request, keys) : nothing}
              ${form(`settings/team/${user.id}/remove`, html`<p>The person is signed out at once. What they did remains in the history of orders.</p>${submitButton('Remove the person', 'danger')}`)}`,
            )}`
          : html`<p>You cannot change this person: it is you, or someone with access to all merchants.</p>`
      }`,
  };
};

/** The keys that a person has created, which remain valid without the person. They may be of other merchants. */
function createdKeys({ time }: ConsoleRequest, keys: readonly MerchantKey[]): Html {
  return html`<p>This person has created these keys and may have their secrets. They remain valid when the person is removed: create others for your servers, and retire them.</p>
    ${list({
      caption: 'API keys',
      rows: keys,
      columns: [
        { label: 'API key', cell: ({ apiKey }) => html`<code>${apiKey}</code>` },
        { label: 'Created', cell: ({ createdAt }) => time(createdAt) },
        {
          label: '',
          cell: ({ merchantId, apiKey }) => html`<a href="/console/${merchantId}/developers/keys/${apiKey}">Retire the key</a>`,
        },
      ],
    })}`;
}

/** Returns a user of the address who sees this merchant. */
async function findMember(request: ConsoleRequest): Promise<User | undefined> {
  const user = await findMemberOrRemoved(request);
  return user?.removedAt === null ? user : undefined;
}

async function findMemberOrRemoved({ deps, merchant, id }: ConsoleRequest): Promise<User | undefined> {
  const user = await findUser(deps.database.query, id);
  const isMember = user?.tenantId === merchant.tenantId && (user.merchantId === null || user.merchantId === merchant.id);
  return isMember ? user : undefined;
}

/** Changes the role of a person, which signs them out. */
export async function changeMember(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const { deps, user: self, to } = request;
  const user = await findMember(request);
  if (!user) return undefined;
  const read = readForm(roleRules, body);
  if (!read.ok) return read;
  const { role, limit } = read.values;
  await changeRole(deps.database, user.id, { role, refundLimitCents: centsOf(limit) }, self, deps.realClock.now());
  return { redirect: to('settings/team'), done: 'settings.changed' };
}

/** Removes a person, which signs them out. */
export async function removeMember(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, user: self, to } = request;
  // A form that is repeated after a crash has removed the person before.
  const user = await findMemberOrRemoved(request);
  if (!user) return undefined;
  await removeUser(deps.database, user.id, self, deps.realClock.now());
  return { redirect: to('settings/team'), done: 'settings.removed' };
}
