import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { isPersonName } from '../../../shared/person-name.ts';
import { Email } from '../../../shared/wire/contact-fields.ts';
import type { Html } from '../../http/html.ts';
import { activeKeysCreatedBy, type MerchantKey } from '../../merchants/store.ts';
import { type FormState, textField } from '../../pages/elements.ts';
import { readForm, withRefusedCharacter } from '../../pages/read-form.ts';
import type { Texts } from '../../texts.ts';
import { centsOf } from '../../transactions/search.ts';
import { isPermitted, refundLimitOf, type Role, ROLES } from '../../users/roles.ts';
import { findUser, listUsers, type User } from '../../users/store.ts';
import { changeRole, inviteUser, isSamePerson, isWithin, removeUser } from '../../users/users.ts';
import { badge, copyable, details, panel } from '../web/elements.ts';
import { choiceField, choiceRule, submitButton, textRule } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';

/** The people who use the console of a merchant, and the form that invites others. */
export const team: Screen = {
  path: 'settings/team',
  tab: (t) => t.console.settings.team.title,
  permission: 'view',
  actions: [{ permission: 'administer', submit: invite }],
  show: async (request) => {
    const { deps, merchant, t, can, to } = request;
    const own = t.console.settings.team;
    const users = await listUsers(deps.database.query, { tenantId: merchant.tenantId, merchantId: merchant.id });
    return {
      title: own.title,
      content: html`${list(t, {
        caption: own.title,
        rows: users,
        empty: own.empty,
        columns: [
          { label: own.person, cell: (user) => personCell(request, user) },
          { label: own.role, cell: ({ role }) => t.console.roles[role].name },
          { label: own.refunds, cell: (user) => refundsOf(request, user), isAmount: true },
          ...(can('administer')
            ? [{ label: '', cell: ({ id }: User) => html`<a href="${to(`settings/team/${id}`)}">${own.change}</a>` }]
            : []),
        ],
      })}
      ${can('administer') ? panel(own.invite, inviteForm(request)) : nothing}`,
    };
  },
};

function personCell({ t, user: self }: ConsoleRequest, { id, name, email, merchantId }: User): Html {
  const own = t.console.settings.team;
  return html`<span dir="auto">${name || email}</span> ${isSamePerson({ id, email }, self) ? badge(own.you) : nothing}
    ${merchantId === null ? badge(own.allMerchants) : nothing} ${name ? html`<small>${email}</small>` : nothing}`;
}

function refundsOf({ t, money }: ConsoleRequest, user: User): string {
  if (!isPermitted(user.role, 'refund')) return '–';
  const limitCents = refundLimitOf(user);
  return limitCents === null ? t.console.settings.team.noLimit : money(limitCents);
}

function inviteForm({ t, form, formState, user }: ConsoleRequest): Html {
  const own = t.console.settings.team;
  return form(
    'settings/team',
    html`${textField(t, formState, { name: 'email', label: own.email, autocomplete: 'off', type: 'email' })}
    ${textField(t, formState, { name: 'name', label: own.personName, autocomplete: 'off', isOptional: true })}
    ${
      user.merchantId === null
        ? choiceField(t, formState, 'scope', own.scope, [
            { value: 'merchant', label: own.thisMerchant },
            { value: 'tenant', label: own.allMerchants },
          ])
        : nothing
    }
    ${roleFields(t, formState)} ${submitButton(own.sendInvitation)}`,
  );
}

function roleFields(t: Texts, state: FormState): Html {
  const own = t.console.settings.team;
  const choices = ROLES.map((role) => ({ value: role, label: t.console.roles[role].name, hint: t.console.roles[role].may }));
  return html`${choiceField(t, state, 'role', own.role, choices)}
  ${textField(t, state, { name: 'limit', label: own.limit, hint: own.limitHint, autocomplete: 'off', inputmode: 'decimal', isOptional: true, prefix: '$' })}`;
}

/** Whole dollars up to a million, or nothing. */
function isLimit(text: string): boolean {
  const cents = centsOf(text) ?? Number.NaN;
  return text === '' || (cents % 100 === 0 && cents <= 100_000_000);
}

const roleRules = {
  role: choiceRule<Role>(ROLES, (t) => t.console.settings.team.messages.role),
  limit: textRule(isLimit, (t) => t.console.settings.team.messages.limit),
};

const invitationRules = {
  email: textRule(Email, (t) => t.console.settings.team.messages.email),
  name: textRule(
    (text) => text === '' || isPersonName(text),
    (t, text) => {
      const { name } = t.console.settings.team.messages;
      return withRefusedCharacter(t, name, text) ?? name;
    },
  ),
  scope: choiceRule(['', 'merchant', 'tenant'], (t) => t.console.settings.team.messages.scope),
  ...roleRules,
};

/** Invites a person. In a sandbox, which sends nothing, the link of a new user is shown. That of another one would open their account. */
async function invite({ deps, merchant, user, t, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(invitationRules, body);
  if (!read.ok) return read;
  const { email, name, role, limit, scope } = read.values;
  const { database, publicUrl, operator, messageHandlings, mode, realClock } = deps;
  const merchantId = scope === 'tenant' && user.merchantId === null ? null : merchant.id;
  const invited = { tenantId: merchant.tenantId, merchantId, email, name, role, refundLimitCents: centsOf(limit) };
  const mail = { publicUrl, operator, handling: messageHandlings.email };
  const { path, isNew } = await inviteUser(database, invited, user, mail, t.language, realClock.now());
  deps.onEnqueued();
  if (mode === 'live' || !isNew)
    return { redirect: to('settings/team'), done: isNew ? 'settings.invited' : 'settings.hasAccount' };
  const own = t.console.settings.team;
  return {
    title: own.sandboxTitle,
    content: html`<p class="lead">${own.sandboxLead}</p>
      <p>${copyable(t, publicUrl + path)}</p>
      <p><a href="${to('settings/team')}">${own.back}</a></p>`,
  };
}

/** One person: their role, and how to remove them. */
export const member: Screen = {
  path: 'settings/team/:id',
  permission: 'administer',
  actions: [{ submit: changeMember }, { path: 'settings/team/:id/remove', submit: removeMember }],
  show: async (request) => {
    const { t, form, formState, money, to, time, user: self } = request;
    const user = await findMember(request);
    if (!user) return undefined;
    const own = t.console.settings.team;
    const keys = await activeKeysCreatedBy(request.deps.database.query, `user:${user.id}`);
    const canChange = !isSamePerson(user, self) && isWithin(user, self);
    const limitCents = refundLimitOf(user);
    const limit = user.refundLimitCents === null ? '' : String(user.refundLimitCents / 100);
    const isRejected = Object.keys(formState.values).length > 0;
    const state = isRejected ? formState : { ...formState, values: { role: user.role, limit } };
    return {
      title: user.name || user.email,
      content: html`<p><a href="${to('settings/team')}">${own.back}</a></p>
        ${details([
          [own.email, user.email],
          [own.role, t.console.roles[user.role].name],
          [own.refunds, limitCents === null ? undefined : money(limitCents)],
          [own.scope, user.merchantId === null ? own.allMerchants : own.thisMerchant],
          [own.since, time(user.createdAt)],
        ])}
        ${
          canChange
            ? html`${panel(own.changeRole, form(`settings/team/${user.id}`, html`<p>${own.changeHint}</p>${roleFields(t, state)} ${submitButton(own.save)}`))}
              ${panel(
                own.remove,
                html`${keys.length > 0 ? createdKeys(request, keys) : nothing}
                ${form(`settings/team/${user.id}/remove`, html`<p>${own.removeHint}</p>${submitButton(own.remove, 'danger')}`)}`,
              )}`
            : html`<p>${own.cannotChange}</p>`
        }`,
    };
  },
};

/** The keys that a person has created, which remain valid without the person. They may be of other merchants. */
function createdKeys({ t, time }: ConsoleRequest, keys: readonly MerchantKey[]): Html {
  const { keysHint } = t.console.settings.team;
  const own = t.console.developers.keys;
  return html`<p>${keysHint}</p>
    ${list(t, {
      caption: own.title,
      rows: keys,
      empty: '',
      columns: [
        { label: own.apiKey, cell: ({ apiKey }) => html`<code>${apiKey}</code>` },
        { label: own.created, cell: ({ createdAt }) => time(createdAt) },
        {
          label: '',
          cell: ({ merchantId, apiKey }) => html`<a href="/console/${merchantId}/developers/keys/${apiKey}">${own.retire}</a>`,
        },
      ],
    })}`;
}

/** Returns a user of the address who sees this merchant. */
async function findMember(request: ConsoleRequest): Promise<User | undefined> {
  const user = await findMemberOrRemoved(request);
  return user?.removedAt === null ? user : undefined;
}

async function findMemberOrRemoved({ deps, merchant, params }: ConsoleRequest): Promise<User | undefined> {
  const user = await findUser(deps.database.query, params['id']!);
  const isMember = user?.tenantId === merchant.tenantId && (user.merchantId === null || user.merchantId === merchant.id);
  return isMember ? user : undefined;
}

/** Changes the role of a person, which signs them out. */
async function changeMember(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
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
async function removeMember(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, user: self, to } = request;
  // A form that is repeated after a crash has removed the person before.
  const user = await findMemberOrRemoved(request);
  if (!user) return undefined;
  await removeUser(deps.database, user.id, self, deps.realClock.now());
  return { redirect: to('settings/team'), done: 'settings.removed' };
}
