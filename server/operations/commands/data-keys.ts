import { countOutdatedRows, forgetUnusedDataKeys, rotateRows } from '../../db/data-keys.ts';
import { connectionOf } from '../../db/engine.ts';
import { newDataKey } from '../../base/key-ring.ts';
import { newId } from '../../base/ids.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Command, command, option, printResult, truncateLog, withDatabase } from './command.ts';

/** Keys that encrypt personal data and secrets in the database. */
export const dataKeyCommands: Record<string, Command> = {
  'data-key create': command(
    '[--json]   (prints ID:KEY for DATA_KEYS; changes nothing)',
    { json: option.flag },
    async ({ json }, context) => {
      const date = context.clock.now().slice(0, 10).replaceAll('-', '');
      const id = newId().slice(-4);
      const key = newDataKey(`${date}-${id}`);
      printResult(context, json, { key }, [key]);
      context.log(
        'To replace a key, add it to DATA_KEYS after the current one, and restart all processes, so that they can read it. Then put it ' +
          'first, restart them again, and run `fairterm data-key rotate`. Without its keys, a database cannot be read.',
      );
    },
  ),

  'data-key rotate': command(
    '[--json]   (encrypts all rows with the first key; the service may be running)',
    { json: option.flag },
    async (values, context) => {
      const result = await withDatabase(context, async (database) => {
        const keyId = connectionOf(database.query).keyRing.activeId;
        context.progress.start('Encrypting rows again');
        const total = await countOutdatedRows(database);
        let rows = 0;
        let damagedRows = 0;
        for await (const batch of rotateRows(database)) {
          rows += batch.rows;
          damagedRows += batch.damagedRows;
          context.progress.count(rows + damagedRows, total);
        }
        const { forgotten, outdatedRows } = await forgetUnusedDataKeys(database, damagedRows);
        const details = { keyId, removableKeyIds: forgotten, rows: String(rows) };
        // SQLite's write-ahead log still has what the old keys encrypted.
        await truncateLog(context, database);
        const event = newSecurityEvent({ kind: 'data-keys-rotated', actor: 'console', details }, context.clock.now());
        await database.write((tx) => addSecurityEvents(tx, event));
        return { keyId, rows, removableKeyIds: forgotten, outdatedRows, damagedRows };
      });
      const { keyId, rows, removableKeyIds, outdatedRows, damagedRows } = result;
      printResult(context, values.json, result, [
        `Rows that were encrypted again: ${rows}. All use the key ${keyId}.`,
        ...(removableKeyIds.length > 0 ? [`Keys that can be removed from DATA_KEYS: ${removableKeyIds.join(', ')}`] : []),
      ]);
      if (damagedRows > 0) context.log(`Rows that no key opens, and that were left as they are: ${damagedRows}.`);
      if (outdatedRows > 0) {
        context.log(`A process with an earlier first key has written ${outdatedRows} rows: restart it, and rotate again.`);
      }
      return outdatedRows + damagedRows > 0 ? 1 : 0;
    },
  ),
};
