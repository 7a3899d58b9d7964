import type SqliteDriver from 'better-sqlite3';

/** An open SQLite file. */
export type SqliteFile = SqliteDriver.Database;

const OLDEST_NODE_OF_THIRTEEN = 22;

/** The driver that supports this version of Node (decisions/0032). */
export const sqlitePackage =
  Number(process.versions.node.split('.')[0]) < OLDEST_NODE_OF_THIRTEEN ? 'better-sqlite3' : 'better-sqlite3-13';

export const { default: Sqlite } = (await import(sqlitePackage)) as { default: typeof SqliteDriver };
