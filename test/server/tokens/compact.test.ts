import { describe, expect, it } from 'vitest';
import { readToken } from '../../../server/tokens/compact.ts';
import { compact } from '../../support/tokens.ts';

const head = { alg: 'ES256', kid: 'k' };

/** `token` with a part, at the sign @, that would be JSON but for one byte. */
const notUtf8 = (token: string) => token.replace('@', Buffer.from('{"alg":"ES256","a":"\xff"}', 'latin1').toString('base64url'));

describe('A token', () => {
  it('is read without being believed', () => {
    expect(readToken(compact(head, { iss: 'https://id.example', n: 1 }))).toEqual({
      algorithm: 'ES256',
      kid: 'k',
      claims: { iss: 'https://id.example', n: 1 },
    });
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt', undefined])('may be of type %s', (typ) => {
    expect(readToken(compact({ ...head, typ }, {})).claims).toEqual({});
  });

  it('counts the last of two claims of one name, as JSON does', () => {
    expect(readToken(compact(head, '{"TenantID":"a","TenantID":"b"}')).claims).toEqual({ TenantID: 'b' });
  });

  it('has no prototype to be had by', () => {
    const { claims } = readToken(compact(head, '{"__proto__":{"TenantID":"a"}}'));
    expect(claims['TenantID']).toBe(undefined);
  });

  const good = compact(head, {}, 'signature');
  const malformed: [token: string, expected: string][] = [
    ['', 'three parts'],
    ['a', 'three parts'],
    ['..', 'three parts'],
    [good.split('.').slice(0, 2).join('.'), 'three parts'],
    [`${good}.more`, 'three parts'],
    [`${good}.more.more`, 'not encrypted'],
    [`${good}.a.b.c`, 'three parts'],
    [compact('{', {}), 'three parts'],
    [compact('"alg"', {}), 'three parts'],
    [compact([head], {}), 'three parts'],
    [compact('null', {}), 'three parts'],
    [compact(head, []), 'three parts'],
    [compact(head, '7'), 'three parts'],
    [compact(head, '{"a":'), 'three parts'],
    [`${good}=`, 'three parts'],
    [good.replace('.', '+.'), 'three parts'],
    [notUtf8(`${good.split('.')[0]}.@.`), 'three parts'],
    [notUtf8(`@.${good.split('.')[1]}.`), 'three parts'],
    [compact({ kid: 'k' }, {}), 'alg'],
    [compact({ alg: ['ES256'] }, {}), 'alg'],
    [compact({ alg: null }, {}), 'alg'],
    [compact({ ...head, kid: 7 }, {}), 'kid'],
    [compact({ ...head, kid: ['k'] }, {}), 'kid'],
    [compact({ ...head, kid: null }, {}), 'kid'],
    [compact({ ...head, crit: ['exp'] }, {}), 'crit'],
    [compact({ ...head, crit: [] }, {}), 'crit'],
    [compact({ ...head, crit: ['b64'], b64: false }, {}), 'crit'],
    [compact({ ...head, typ: 'logout+jwt' }, {}), 'type'],
    [compact({ ...head, typ: 'dpop+jwt' }, {}), 'type'],
    [compact({ ...head, typ: 7 }, {}), 'type'],
    [compact({ ...head, typ: ['at+jwt'] }, {}), 'type'],
    [compact(head, { padding: 'x'.repeat(8_192) }), 'at most 8192'],
    ['x'.repeat(8_193), 'at most 8192'],
    ['.'.repeat(8_000), 'three parts'],
    [compact('['.repeat(2_000), {}), 'three parts'],
  ];
  it.each(malformed.map(([token, expected]) => [token.slice(0, 60), expected, token]))(
    '%s is malformed: expected %s',
    (_start, expected, token) => {
      const read = () => readToken(token);
      expect(read).toThrow(expect.objectContaining({ refusal: 'token-malformed', message: expect.stringContaining(expected) }));
      for (const piece of token.split('.').filter((one) => one.length > 8)) expect(read).not.toThrow(piece);
    },
  );
});
