import { readStatus, type Status, statusRows } from '../metrics/status.ts';
import { type Command, command, describeError, option, printResult, withUnchangedDatabase } from './command.ts';

/** Shows the service at a glance, without personal data. It changes nothing, and the service may be running or not. */
export const statusCommand: Command = {
  ...command('[--json]', { json: option.flag }, async ({ json }, context) => {
    try {
      const status = await withUnchangedDatabase(context, (database, config) =>
        readStatus(database, config, context.clock.now()),
      );
      printResult(context, json, status, statusLines(status));
      return status.attention.length > 0 ? 1 : 0;
    } catch (thrown) {
      context.log(`fairterm status: the status cannot be read: ${describeError(thrown)}`);
      return 2;
    }
  }),
  help: [
    '',
    'Prints what waits and what has failed. Exits with 0 if all is well, with 2 if the database cannot be read, and with 1 if',
    '',
    '  - migrations are pending',
    '  - the first work of a job has been due for 5 minutes: deliveries, webhook-events, lender-requests, application-expiry',
    '  - an exception is to be resolved: `fairterm exception list`',
    '  - a webhook of a merchant has failed for an hour',
    '  - a card operation of the last 14 days has failed and is not retried: `fairterm deliveries list --state failed`',
    '  - the last request to the lender has failed: `fairterm lender-calls list --failed`',
    '  - no program is sold, because all are withheld: `fairterm program check --live`',
    '  - a day that ended more than a day ago is not settled: `fairterm settlements run`',
  ],
};

function* statusLines(status: Status): Generator<string> {
  const { attention } = status;
  yield attention.length === 0 ? 'All is well.' : 'Something needs attention:';
  for (const text of attention) yield `  ${text}.`;
  yield '';
  const rows = statusRows(status);
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) yield `${label.padEnd(width)}  ${value}`;
}
