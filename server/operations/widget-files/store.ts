import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { WidgetFileTable } from '../../db/schema.ts';

export type WidgetFile = Selectable<WidgetFileTable>;

export async function isStored(query: Query, version: string): Promise<boolean> {
  return (await query.selectFrom('widget_files').select('name').where('version', '=', version).executeTakeFirst()) !== undefined;
}

/** Adds files, unless another process has added them. */
export async function addFiles(tx: Tx, rows: WidgetFile[]): Promise<void> {
  await tx
    .insertInto('widget_files')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findContent(query: Query, version: string, name: string): Promise<string | undefined> {
  const file = query.selectFrom('widget_files').select('content').where('version', '=', version).where('name', '=', name);
  return (await file.executeTakeFirst())?.content;
}

/** Returns all files of all releases without their contents, the latest release first. */
export function listFiles(query: Query): Promise<Omit<WidgetFile, 'content'>[]> {
  return query
    .selectFrom('widget_files')
    .select(['version', 'name', 'integrity', 'bytes', 'releasedAt'])
    .orderBy('releasedAt', 'desc')
    .orderBy('version')
    .orderBy('name')
    .execute();
}
