import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { onceCommitted } from '../../../server/db/engine.ts';
import { SealedDataError } from '../../../server/db/key-ring.ts';
import { replaceTexts, restoreText, restoreTexts, type ShortText, shortenText } from '../../../server/db/shared-texts.ts';
import type { Instant } from '../../../server/time.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';

const at: Instant = '2026-11-21T09:30:00.000000Z';
const shared = ['<p>On {date} you signed</p>', 'an agreement with '];
const text = '<p>On {date} you signed</p> an agreement with Žofie 東 🪑';

describe('References to texts', () => {
  it('are restored exactly, whatever the texts and what refers to them contain', () => {
    const unit = fc.constantFrom('a', 'b', '0', '1', '$', '&', '<', ' ', '’', '🪑');
    const texts = fc.array(fc.string({ unit, minLength: 2, maxLength: 4 }), { maxLength: 5 });
    fc.assert(fc.property(fc.string({ unit }), texts, (html, each) => restoreTexts(replaceTexts(html, each), each) === html));
  });
});

describeOnEveryEngine('Shared texts', (engine) => {
  const shorten = (database: Database, whole = text, createdAt = at): Promise<ShortText> =>
    database.write((tx) => shortenText(tx, whole, shared, createdAt));
  const rows = ({ query }: Database) => query.selectFrom('document_texts').selectAll().execute();

  it('are stored once, and restored by every process', async () => {
    const database = await createDatabase(engine);
    const short = await shorten(database);
    expect(await shorten(database, text, '2027-01-01T00:00:00.000000Z')).toEqual(short);
    expect(short.text).toBe('\u00000\u0000 \u00001\u0000Žofie 東 🪑');
    expect(await rows(database)).toMatchObject([{ hash: short.textsHash, createdAt: at }]);
    expect(await restoreText(database.query, short)).toBe(text);
  });

  it('leave a text with null characters, and one without shared texts, as it is', async () => {
    const database = await createDatabase(engine);
    expect(await shorten(database, 'On \u00000\u0000')).toEqual({ text: 'On \u00000\u0000' });
    expect(await database.write((tx) => shortenText(tx, text, [], at))).toEqual({ text });
    expect(await restoreText(database.query, { text })).toBe(text);
    expect(await rows(database)).toEqual([]);
  });

  it('are stored again after the write that stored them first was rolled back', async () => {
    const database = await createDatabase(engine);
    const failure = new Error('rolled back');
    const failed = database.write(async (tx) => {
      const short = await shortenText(tx, text, shared, at);
      // Read within the write, too.
      expect(await restoreText(tx, short)).toBe(text);
      throw failure;
    });
    // On SQLite, both share a commit.
    const [rejected, short] = await Promise.allSettled([failed, shorten(database)]);
    expect(rejected).toMatchObject({ reason: failure });
    expect(await rows(database)).toHaveLength(1);
    expect(short).toMatchObject({ value: { textsHash: (await rows(database))[0]!.hash } });
  });

  it('are known to be stored only after the commit', async () => {
    const database = await createDatabase(engine);
    const order: string[] = [];
    await database.write(async (tx) => {
      onceCommitted(tx, () => order.push('committed'));
      await tx.selectFrom('document_texts').selectAll().execute();
      order.push('work');
    });
    await database.write((tx) => Promise.reject(onceCommitted(tx, () => order.push('rolled back')))).catch(() => undefined);
    onceCommitted(database.query, () => order.push('outside'));
    expect(order).toEqual(['work', 'committed', 'outside']);
  });

  it('are not used if someone without the keys changed or deleted them', async () => {
    const database = await createDatabase(engine);
    const other = await createDatabase(engine);
    const short = await shorten(other);
    await expect(restoreText(database.query, short)).rejects.toThrow(SealedDataError);

    const forged = { hash: short.textsHash!, textsJson: '["<p>Forged"]', createdAt: at };
    await database.write((tx) =>
      sql`insert into document_texts values (${forged.hash}, ${forged.textsJson}, ${forged.createdAt})`.execute(tx),
    );
    await expect(restoreText(database.query, short)).rejects.toThrow(SealedDataError);
  });
});
