import { readConfig } from '../../base/config/config.ts';
import { requireOperator } from '../../base/config/operator.ts';
import type { Database } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { handlingByChannel } from '../../messages/messages.ts';
import { refundLimitOf, ROLES } from '../../console/users/roles.ts';
import { listUsers, type User, type UserScope } from '../../console/users/store.ts';
import { inviteUser, removeUser } from '../../console/users/users.ts';
import { type Command, databaseCommand, option, tableLines, UsageError } from './command.ts';
import { addressOf } from './tokens.ts';

/** A million dollars. */
const MAX_REFUND_LIMIT_CENTS = 100_000_000;

/** Commands for the people who use the console. */
export const userCommands: Record<string, Command> = {
  'user add': databaseCommand(
    '--merchant M | --tenant T --email E --role R [--name N] [--refund-limit CENTS] [--json]',
    {
      merchant: option.text,
      tenant: option.text,
      email: option.required,
      role: { ...option.required, ...option.choice(ROLES) },
      name: option.text,
      'refund-limit': option.integer(0, MAX_REFUND_LIMIT_CENTS),
    },
    async ({ email, role, name = '', 'refund-limit': refundLimitCents, ...values }, database, { config, context, now }) => {
      const scope = await scopeOf(database, values);
      const publicUrl = await addressOf(database, config, context);
      const service = readConfig(context.env);
      // A live service has a sender, which may not be configured for this command.
      const handling = config.mode === 'live' ? 'sent' : handlingByChannel(service, config.mode).email;
      const mail = { publicUrl, operator: requireOperator(service), handling };
      const invited = { ...scope, email, name, role, refundLimitCents };
      // Without an inviting user, because an operator invites.
      const { path, user } = await inviteUser(database, invited, undefined, mail, now);
      // A sandbox sends no e-mails.
      const url = config.mode === 'sandbox' ? publicUrl + path : undefined;
      return {
        value: { userId: user.id, url },
        lines: [url ?? `Invited ${user.email} as ${role}.`],
        messages: ['The link signs in once, within 7 days.'],
      };
    },
  ),

  'user list': databaseCommand(
    '--merchant M | --tenant T [--json]',
    { merchant: option.text, tenant: option.text },
    async (values, database) => {
      const users = (await listUsers(database.query, await scopeOf(database, values))).map(presentUser);
      const lines = tableLines(users, [
        ['user', ({ userId }) => userId],
        ['role', ({ role }) => role],
        ['e-mail', ({ email }) => email],
        ['name', ({ name }) => name],
        ['merchant', ({ merchantId }) => merchantId ?? 'all'],
      ]);
      return { value: users, lines };
    },
  ),

  'user remove': databaseCommand('--user U [--json]', { user: option.required }, async ({ user: userId }, database, { now }) => {
    // By an operator, not a user.
    const { removedAt } = await removeUser(database, userId, undefined, now);
    return { value: { userId, removedAt }, lines: [`${userId}  removed ${removedAt}`] };
  }),
};

function presentUser(user: User) {
  const { id, tenantId, merchantId, role, email, name, createdAt } = user;
  return { userId: id, tenantId, merchantId, role, refundLimitCents: refundLimitOf(user), email, name, createdAt };
}

/** Returns the merchant or the tenant of the options. @throws UsageError - not exactly one is given. */
async function scopeOf(
  { query }: Pick<Database, 'query'>,
  { merchant, tenant }: { merchant?: string | undefined; tenant?: string | undefined },
): Promise<UserScope> {
  if (!merchant === !tenant) throw new UsageError('expected --merchant or --tenant');
  if (tenant) return { tenantId: tenant, merchantId: null };
  const { id, tenantId } = await requireMerchant(query, merchant!);
  return { tenantId, merchantId: id };
}
