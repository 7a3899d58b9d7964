import { APPLICATION_SCOPE } from '../../../shared/wire/token.ts';
import { addressIn, type CommandConfig } from '../../base/config/config.ts';
import type { Readable } from '../../db/database.ts';
import { savedPublicUrl } from '../../db/mode.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { createTokenIssuer, validateGrant } from '../../platform/tokens/issue.ts';
import { listSigningKeys, retireSigningKey, rotateSigningKey } from '../../platform/tokens/signing-keys.ts';
import { type Command, type CommandContext, databaseCommand, option } from './command.ts';

/** Thirty days. A single token cannot be revoked; retiring its signing key revokes every token signed with it. */
const MAX_MINUTES = 43_200;

const DEFAULT_MINUTES = 60;

/** Commands for bearer tokens of the platform API and their signing keys. */
export const tokenCommands: Record<string, Command> = {
  'token mint': databaseCommand(
    '--tenant T [--merchant M] [--program P] [--buyer B] [--scope S] [--minutes N] [--json]',
    {
      tenant: option.required,
      merchant: option.text,
      program: option.text,
      buyer: option.text,
      scope: option.text,
      minutes: option.integer(1, MAX_MINUTES),
    },
    async (values, database, { config, context, now }) => {
      const { merchant: merchantId, program: programId, buyer: buyerId } = values;
      const { scope = APPLICATION_SCOPE, minutes = DEFAULT_MINUTES } = values;
      const grant = { tenantId: values.tenant, merchantId, programId, buyerId, scope };
      const issue = createTokenIssuer(database, context.clock, await addressOf(database, config, context));
      const validated = await validateGrant(database, grant);
      // Recorded first: a token that was not recorded must not exist.
      const details = { scope, minutes: String(minutes), ...(programId && { programId }), ...(buyerId && { buyerId }) };
      const about = { tenantId: grant.tenantId, ...(merchantId && { merchantId }), details };
      const event = newSecurityEvent({ kind: 'token-minted', actor: 'console', ...about }, now);
      await database.write((tx) => addSecurityEvents(tx, event));
      const token = await issue(validated, minutes * 60);
      const canList = scope.split(' ').includes(APPLICATION_SCOPE);
      const messages = [
        ...(canList ? [] : [`The token cannot list applications, which requires the scope ${APPLICATION_SCOPE}.`]),
        `The token expires in ${minutes} minutes. It gives access to personal data: treat it like a password.`,
      ];
      return { value: { token }, lines: [token], messages };
    },
  ),

  'signing-key list': databaseCommand('[--json]', {}, async (_values, { query }) => {
    const keys = await listSigningKeys(query);
    const lines = keys.map(({ kid, createdAt, retiredAt, isSigning }) => {
      const state = retiredAt !== null ? `retired ${retiredAt}` : isSigning ? 'signs and verifies' : 'verifies';
      return `${kid}  created ${createdAt}  ${state}`;
    });
    return { value: keys, lines };
  }),

  'signing-key rotate': databaseCommand('[--json]', {}, async (_values, database, { now }) => {
    const { kid, createdAt } = await rotateSigningKey(database, now);
    return {
      value: { kid, createdAt },
      lines: [`${kid}  created ${createdAt}  signs and verifies`],
      messages: ['Tokens signed with earlier keys are valid until they expire or their key is retired.'],
    };
  }),

  'signing-key retire': databaseCommand('--kid K [--json]', { kid: option.required }, async ({ kid }, database, { now }) => {
    const { retiredAt } = await retireSigningKey(database, kid, now);
    return { value: { kid, retiredAt }, lines: [`${kid}  retired ${retiredAt}`] };
  }),
};

/**
 * Returns the address of the service, which is also the issuer of its tokens: the public URL with which it was last started on this database.
 *
 * @throws Error - the environment has another public URL, or none.
 */
export async function addressOf(database: Readable, config: CommandConfig, { log }: CommandContext): Promise<string> {
  const saved = await savedPublicUrl(database);
  if (saved !== undefined && config.publicUrl !== undefined && config.publicUrl !== saved) {
    throw new Error(
      `PUBLIC_URL: expected ${saved}, the address of the service on this database, but received ${config.publicUrl}. ` +
        'The service uses only its own address, also as the issuer of tokens; to change the address, restart the service first',
    );
  }
  const issuer = saved ?? addressIn(config);
  if (issuer === undefined) throw new Error('PUBLIC_URL: expected the address of the service, because PORT is 0');
  if (saved === undefined) {
    log(`warning: no service was started on this database yet; only a service with PUBLIC_URL ${issuer} will accept it`);
  }
  return issuer;
}
