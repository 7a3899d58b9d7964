import { resolve } from 'node:path';
import { parseUrl } from '../../shared/url.ts';
import type { KeyRing } from '../base/key-ring.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database at `url`: `sqlite:path/to/file.db`, or `postgres://user:password@host/name`.
 *
 * @param keyRing - Returns the keys that seal personal data and secrets. Called once.
 * @param mayCreate - If false, a missing SQLite file is an error.
 * @param preparesStatements - See `openPostgres`.
 * @throws Error - the URL has another form, or writes would not be durable (see `sqlite.ts`).
 */
export function openDatabase(
  url: string,
  keyRing: () => KeyRing,
  { mayCreate = true, preparesStatements = true } = {},
): Database {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), keyRing, { mayCreate });
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!parsePostgresUrl(url)) {
      throw new Error(
        'DATABASE_URL: expected postgres://user:password@host/name, with %XX for special characters of the password',
      );
    }
    return openPostgres(url, keyRing, { preparesStatements });
  }
  throw new Error('DATABASE_URL: expected sqlite:FILE or postgres://…, but received another kind of URL');
}

/**
 * Returns the URL of a database without its password and parameters: `postgres://user@host/name`, `sqlite:/path/to/file.db`. The host can be
 * the folder of a socket.
 */
export function databaseName(url: string): string {
  if (url.startsWith('sqlite:')) return `sqlite:${resolve(url.slice('sqlite:'.length))}`;
  const parsed = parsePostgresUrl(url);
  if (!parsed) return `${url.split(':')[0]}://…`;
  const { protocol, username, host, pathname, searchParams } = parsed;
  return `${protocol}//${username}${username && '@'}${searchParams.get('host') ?? host}${pathname}`;
}

/** Returns the parts of a URL of PostgreSQL; undefined if it is invalid. */
function parsePostgresUrl(url: string): URL | undefined {
  // A user without a host, as of a socket, is no URL.
  const parsed = parseUrl(url.replace('@/', '@localhost/'));
  // After a password with a slash, the path has its end and the host.
  return parsed?.pathname.includes('@') ? undefined : parsed;
}
