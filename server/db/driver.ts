import type SqliteDriver from 'better-sqlite3';

/** An open SQLite file. */
export type SqliteFile = SqliteDriver.Database;

const MIN_NODE_OF_VERSION_13 = 22;

/** Name of the npm package whose driver supports this version of Node.js (decisions/0032). */
export const sqlitePackage =
  Number(process.versions.node.split('.')[0]) < MIN_NODE_OF_VERSION_13 ? 'better-sqlite3' : 'better-sqlite3-13';

const driver: { default: typeof SqliteDriver } = await import(sqlitePackage);
export const Sqlite = driver.default;
