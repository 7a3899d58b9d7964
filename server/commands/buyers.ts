import { parseArgs } from 'node:util';
import { type BuyerSelector, eraseBuyer, exportBuyer } from '../retention/buyer-data.ts';
import { releaseHold, setHold } from '../retention/legal-holds.ts';
import { listHolds } from '../retention/store.ts';
import { type Command, printResult, requireValue, truncateLog, UsageError, withDatabase } from './command.ts';

const json = { type: 'boolean' } as const;

/** Personal data of buyers, and legal holds. */
export const buyerCommands: Record<string, Command> = {
  'buyer export': {
    usage: 'buyer export --email E | --application A   (everything that is stored about a person, as JSON)',
    run: async (args, context) => {
      const { selector } = selectorIn(args);
      const data = await withDatabase(context, (database) => exportBuyer(database, selector, context.clock.now()));
      context.print(JSON.stringify(data));
      context.log('The export contains personal data.');
    },
  },

  'buyer erase': {
    usage: 'buyer erase --email E | --application A [--json]   (cannot be undone)',
    run: async (args, context) => {
      const { selector, isJson } = selectorIn(args);
      const erased = await withDatabase(context, async (database) => {
        const result = await eraseBuyer(database, selector, context.clock.now());
        await truncateLog(context, database);
        return result;
      });
      printResult(context, isJson, erased, [
        ...erased.applications.map(({ applicationId, documentUntil }) =>
          documentUntil === null
            ? `${applicationId}  erased`
            : `${applicationId}  erased; its signed agreement is retained until ${documentUntil.slice(0, 10)}`,
        ),
        `${erased.carts} carts and ${erased.messages} messages erased`,
      ]);
    },
  },

  'legal-hold set': {
    usage: 'legal-hold set --application A --reason R [--json]   (its data is not deleted; R must not contain personal data)',
    run: async (args, context) => {
      const { applicationId, reason, isJson } = holdIn(args);
      const row = await withDatabase(context, (database) => setHold(database, applicationId, reason, context.clock.now()));
      printResult(context, isJson, { applicationId, reason: row.reason, setAt: row.set_at }, [
        `${applicationId}  held since ${row.set_at}: ${row.reason}`,
      ]);
    },
  },

  'legal-hold release': {
    usage: 'legal-hold release --application A --reason R [--json]',
    run: async (args, context) => {
      const { applicationId, reason, isJson } = holdIn(args);
      await withDatabase(context, (database) => releaseHold(database, applicationId, reason, context.clock.now()));
      printResult(context, isJson, { applicationId }, [`${applicationId}  released`]);
    },
  },

  'legal-hold list': {
    usage: 'legal-hold list [--json]',
    run: async (args, context) => {
      const { values } = parseArgs({ args, options: { json } });
      const rows = await withDatabase(context, ({ query }) => listHolds(query));
      const holds = rows.map(({ application_id: applicationId, reason, set_at: setAt }) => ({ applicationId, reason, setAt }));
      const lines = holds.map(({ applicationId, reason, setAt }) => `${applicationId}  held since ${setAt}: ${reason}`);
      printResult(context, values.json, { holds }, lines);
    },
  },
};

/** @throws UsageError - there is not exactly one selector. */
function selectorIn(args: string[]): { selector: BuyerSelector; isJson: boolean | undefined } {
  const { values } = parseArgs({ args, options: { email: { type: 'string' }, application: { type: 'string' }, json } });
  const { email, application: applicationId, json: isJson } = values;
  if (!email === !applicationId) throw new UsageError('expected --email or --application');
  return { selector: email ? { email } : { applicationId: applicationId! }, isJson };
}

function holdIn(args: string[]): { applicationId: string; reason: string; isJson: boolean | undefined } {
  const { values } = parseArgs({ args, options: { application: { type: 'string' }, reason: { type: 'string' }, json } });
  const applicationId = requireValue('--application', values.application);
  return { applicationId, reason: requireValue('--reason', values.reason), isJson: values.json };
}
