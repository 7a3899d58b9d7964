import { revokeDocumentLink } from '../../agreements/document-link.ts';
import { invalidRequest } from '../../base/errors.ts';
import { withdrawConsent } from '../../checkout/decision/actions.ts';
import { resolveApplicationId } from '../../lending/applications/store.ts';
import type { Query } from '../../db/database.ts';
import { type BuyerSelector, eraseBuyer, exportBuyer } from '../retention/buyer-data.ts';
import { releaseHold, setHold } from '../retention/legal-holds.ts';
import { type LegalHold, listHolds } from '../retention/store.ts';
import { type Command, command, databaseCommand, option, printResult, truncateLog, UsageError, withDatabase } from './command.ts';

const holdOptions = { application: option.required, reason: option.required } as const;
const selectorOptions = { email: option.text, application: option.text, json: option.flag } as const;

/** Commands for the personal data, the agreements and the consents of buyers, and for legal holds. `--application` is an id or a short reference. */
export const buyerCommands: Record<string, Command> = {
  'document revoke': databaseCommand(
    '--application A [--json]   (permanently disables the link to its signed agreement)',
    { application: option.required },
    async ({ application }, database, { now }) => {
      const applicationId = await resolveApplicationId(database.query, application);
      const revokedAt = await revokeDocumentLink(database, applicationId, now);
      return { value: { applicationId, revokedAt }, lines: [`${applicationId}  link revoked ${revokedAt}`] };
    },
  ),

  'consent withdraw': databaseCommand(
    '--application A [--json]   (of the buyer to electronic documents; an open application ends)',
    { application: option.required },
    async ({ application }, database, { now }) => {
      const applicationId = await resolveApplicationId(database.query, application);
      const withdrawnAt = await withdrawConsent(database, applicationId, 'operator', now);
      if (!withdrawnAt) throw invalidRequest('application', 'the id of an application', `"${applicationId}"`);
      return { value: { applicationId, withdrawnAt }, lines: [`${applicationId}  consent withdrawn ${withdrawnAt}`] };
    },
  ),

  'buyer export': command(
    '--email E | --application A   (everything that is stored about a person, as JSON)',
    selectorOptions,
    async (values, context) => {
      const selector = selectorIn(values);
      const data = await withDatabase(context, async (database) => {
        const { progress, clock } = context;
        progress.start('Exporting applications and carts');
        return exportBuyer(database, await resolveSelector(database.query, selector), clock.now(), progress);
      });
      context.print(JSON.stringify(data));
      context.log('The export contains personal data.');
    },
  ),

  'buyer erase': command(
    '--email E | --application A [--json]   (cannot be undone)',
    selectorOptions,
    async (values, context) => {
      const selector = selectorIn(values);
      const erased = await withDatabase(context, async (database) => {
        const result = await eraseBuyer(database, await resolveSelector(database.query, selector), context.clock.now());
        await truncateLog(context, database);
        return result;
      });
      printResult(context, values.json, erased, [
        ...erased.applications.map(({ applicationId, documentUntil }) =>
          documentUntil === null
            ? `${applicationId}  erased`
            : `${applicationId}  erased; its signed agreement is retained until ${documentUntil.slice(0, 10)}`,
        ),
        `${erased.carts} carts and ${erased.messages} messages erased`,
      ]);
    },
  ),

  'legal-hold set': databaseCommand(
    '--application A --reason R [--json]   (its data is not deleted; R must not contain personal data)',
    holdOptions,
    async ({ application, reason }, database, { now }) => {
      const hold = await setHold(database, await resolveApplicationId(database.query, application), reason, now);
      return { value: hold, lines: [holdLine(hold)] };
    },
  ),

  'legal-hold release': databaseCommand(
    '--application A --reason R [--json]',
    holdOptions,
    async ({ application, reason }, database, { now }) => {
      const applicationId = await resolveApplicationId(database.query, application);
      await releaseHold(database, applicationId, reason, now);
      return { value: { applicationId }, lines: [`${applicationId}  released`] };
    },
  ),

  'legal-hold list': databaseCommand('[--json]', {}, async (_values, { query }) => {
    const holds = await listHolds(query);
    return { value: { holds }, lines: holds.map(holdLine) };
  }),
};

function holdLine({ applicationId, reason, setAt }: LegalHold): string {
  return `${applicationId}  held since ${setAt}: ${reason}`;
}

/** Replaces a short reference by the id of its application. */
async function resolveSelector(query: Query, selector: BuyerSelector): Promise<BuyerSelector> {
  return 'email' in selector ? selector : { applicationId: await resolveApplicationId(query, selector.applicationId) };
}

/** @throws UsageError - there is not exactly one selector. */
function selectorIn({ email, application }: { email: string | undefined; application: string | undefined }): BuyerSelector {
  if (!email === !application) throw new UsageError('expected --email or --application');
  return email ? { email } : { applicationId: application ?? '' };
}
