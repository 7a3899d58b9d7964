import { describe, expect, it } from 'vitest';
import { isLoopback, readConfig } from '../../server/config.ts';

describe('The configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 4000,
      publicUrl: undefined,
      databaseUrl: 'sqlite:data/sandbox.db',
      tls: undefined,
      trustProxy: false,
      callbackAllow: [],
      pendingDays: 7,
      authorizedDays: 90,
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(
      readConfig({
        MODE: '',
        HOST: '',
        PORT: '',
        PUBLIC_URL: '',
        DATABASE_URL: '',
        CALLBACK_ALLOW: '',
        PENDING_DAYS: '',
        AUTHORIZED_DAYS: '',
        TLS_CERT: '',
        TLS_KEY: '',
        TRUST_PROXY: '',
      }),
    ).toEqual(readConfig({}));
  });

  it('takes what it is given', () => {
    const env = {
      HOST: '::',
      PORT: '0',
      PUBLIC_URL: 'https://pay.example//',
      CALLBACK_ALLOW: 'erp.internal, shop.internal,',
      PENDING_DAYS: '1',
      AUTHORIZED_DAYS: '3650',
    };
    expect(readConfig(env)).toMatchObject({
      host: '::',
      port: 0,
      publicUrl: 'https://pay.example',
      callbackAllow: ['erp.internal', 'shop.internal'],
      pendingDays: 1,
      authorizedDays: 3_650,
    });
  });

  it('has a database of its own for a live service, and two ways to be HTTPS', () => {
    const env = { MODE: 'live', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem', TRUST_PROXY: '1' };
    expect(readConfig(env)).toMatchObject({
      mode: 'live',
      databaseUrl: 'sqlite:data/live.db',
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      trustProxy: true,
    });
  });

  it.each([
    [{ MODE: 'test' }, 'MODE: expected "sandbox" or "live", but received "test"'],
    [{ TLS_CERT: 'cert.pem' }, 'TLS_KEY: expected a file beside TLS_CERT'],
    [{ TLS_KEY: 'key.pem' }, 'TLS_CERT: expected a file beside TLS_KEY'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY: expected 1 or 0, but received "true"'],
    [{ PORT: '80a' }, 'PORT: expected a port from 0 to 65535, but received "80a"'],
    [{ PORT: '-1' }, 'PORT: expected a port from 0 to 65535, but received "-1"'],
    [{ PORT: '65536' }, 'PORT: expected a port from 0 to 65535, but received "65536"'],
    [{ PENDING_DAYS: '0' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "0"'],
    [{ PENDING_DAYS: '-7' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "-7"'],
    [{ PENDING_DAYS: '1.5' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "1.5"'],
    [{ AUTHORIZED_DAYS: '3651' }, 'AUTHORIZED_DAYS: expected a number of days from 1 to 3650, but received "3651"'],
    [{ AUTHORIZED_DAYS: 'week' }, 'AUTHORIZED_DAYS: expected a number of days from 1 to 3650, but received "week"'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL: expected an http or https address, but received "ftp://x"'],
  ])('refuses %j, naming the variable', (env, sentence) => {
    expect(() => readConfig(env as unknown as Record<string, string>)).toThrow(sentence);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['localhost.example', false],
])('only this machine reaches %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
