import { requireOperator } from '../../base/config/operator.ts';
import type { Database } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { handlingByChannel } from '../../messages/messages.ts';
import { refundLimitOf, ROLES } from '../../console/users/roles.ts';
import { listUsers, type User, type UserScope } from '../../console/users/store.ts';
import { inviteUser, removeUser } from '../../console/users/users.ts';
import {
  choiceOption,
  type Command,
  command,
  flag,
  integerOption,
  printResult,
  required,
  tableLines,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { addressOf } from './tokens.ts';

/** A million dollars. */
const MAX_REFUND_LIMIT_CENTS = 100_000_000;

/** Commands for the people who use the console. */
export const userCommands: Record<string, Command> = {
  'user add': command(
    '--merchant M | --tenant T --email E --role R [--name N] [--refund-limit CENTS] [--json]',
    { merchant: text, tenant: text, email: required, role: required, name: text, 'refund-limit': text, json: flag },
    async ({ email, json, name = '', ...values }, context) => {
      const role = choiceOption('--role', values.role, ROLES)!;
      const refundLimitCents = integerOption('--refund-limit', values['refund-limit'], { min: 0, max: MAX_REFUND_LIMIT_CENTS });
      const { user, url } = await withDatabase(context, async (database, config) => {
        const scope = await scopeOf(database, values);
        const publicUrl = await addressOf(database, config, context);
        const service = context.serviceConfig();
        // A live service has a sender, which may not be configured for this command.
        const handling = config.mode === 'live' ? 'sent' : handlingByChannel(service, config.mode).email;
        const mail = { publicUrl, operator: requireOperator(service), handling };
        const invited = { ...scope, email, name, role, refundLimitCents };
        const { path, ...added } = await inviteUser(database, invited, undefined, mail, context.clock.now());
        return { ...added, ...(config.mode === 'sandbox' && { url: publicUrl + path }) };
      });
      printResult(context, json, { userId: user.id, ...(url && { url }) }, url ? [url] : [`Invited ${user.email} as ${role}.`]);
      context.log('The link signs in once, within 7 days.');
    },
  ),

  'user list': command(
    '--merchant M | --tenant T [--json]',
    { merchant: text, tenant: text, json: flag },
    async ({ json, ...values }, context) => {
      const users = await withDatabase(context, async (database) =>
        (await listUsers(database.query, await scopeOf(database, values))).map(presentUser),
      );
      const lines = tableLines(users, [
        ['user', ({ userId }) => userId],
        ['role', ({ role }) => role],
        ['e-mail', ({ email }) => email],
        ['name', ({ name }) => name],
        ['merchant', ({ merchantId }) => merchantId ?? 'all'],
      ]);
      printResult(context, json, users, lines);
    },
  ),

  'user remove': command('--user U [--json]', { user: required, json: flag }, async ({ user: userId, json }, context) => {
    const removed = await withDatabase(context, (database) => removeUser(database, userId, undefined, context.clock.now()));
    printResult(context, json, { userId, removedAt: removed.removedAt }, [`${userId}  removed ${removed.removedAt}`]);
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
