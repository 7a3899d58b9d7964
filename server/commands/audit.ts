import { parseArgs } from 'node:util';
import { auditTransactions, type Difference } from '../transactions/audit.ts';
import { type Command, reasonOf, withDatabaseAsItIs } from './command.ts';

/** Maximum number of differences in the JSON output, which is buffered as one line. All differences are counted. */
const MAX_LISTED = 1_000;

export const auditCommands: Record<string, Command> = {
  audit: {
    usage: 'audit [--json]   (ends with 1 when any transaction differs from its journal, with 2 when it could not look)',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
      const { answer, remark } = surroundings;
      const counts = { transactions: 0, differing: 0 };
      const listed: Difference[] = [];

      try {
        await withDatabaseAsItIs(surroundings, async (query) => {
          for await (const differences of auditTransactions(query)) {
            counts.transactions += 1;
            if (differences.length > 0) counts.differing += 1;
            if (values.json) listed.push(...differences.slice(0, MAX_LISTED - listed.length));
            else for (const difference of differences) answer(lineOf(difference));
          }
        });
      } catch (thrown) {
        remark(`fairterm audit: could not look: ${reasonOf(thrown)}`);
        return 2;
      }

      const { transactions, differing } = counts;
      if (values.json) answer(JSON.stringify({ ...counts, differences: listed }));
      else
        answer(
          `${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}, ${differing || 'none'} differing from the journal.`,
        );
      return differing > 0 ? 1 : 0;
    },
  },
};

function lineOf({ transactionId, what, stored, recomputed }: Difference): string {
  if (what === 'journal') return `${transactionId}  journal: ${String(stored)}`;
  return `${transactionId}  ${what}: ${JSON.stringify(stored)}, by the journal ${JSON.stringify(recomputed)}`;
}
