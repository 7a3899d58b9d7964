import { describe, expect, it } from 'vitest';
import { addressIn, readConfig } from '../../../../server/base/config/config.ts';

const tenant = '01990000-0000-7000-8000-00000000000a';
const otherTenant = '01990000-0000-7000-8000-00000000000B';
const complete = { TOKEN_ISSUER: 'https://id.example/', TOKEN_JWKS_URL: 'https://id.example/keys?v=1', TOKEN_TENANTS: tenant };
const read = (env: Record<string, string>) => readConfig(env).tokenIssuer;

describe('The configuration of an external issuer', () => {
  it('is undefined if its variables are unset or empty', () => {
    expect(read({})).toBe(undefined);
    expect(read({ TOKEN_ISSUER: '', TOKEN_JWKS_URL: '', TOKEN_AUDIENCE: '', TOKEN_TENANTS: '' })).toBe(undefined);
  });

  it.each<[Record<string, string>, object]>([
    [complete, { issuer: 'https://id.example/', jwksUrl: 'https://id.example/keys?v=1', audience: undefined, tenants: [tenant] }],
    [{ ...complete, TOKEN_TENANTS: ` ${tenant}, ${otherTenant},` }, { tenants: [tenant, otherTenant.toLowerCase()] }],
    [{ ...complete, TOKEN_TENANTS: ' * ' }, { tenants: 'all' }],
    [{ ...complete, TOKEN_AUDIENCE: 'fairterm' }, { audience: 'fairterm' }],
    [{ ...complete, TOKEN_ISSUER: 'accounts.example' }, { issuer: 'accounts.example' }],
    [{ ...complete, TOKEN_JWKS_URL: 'http://127.0.0.1:9000/keys' }, { jwksUrl: 'http://127.0.0.1:9000/keys' }],
    [{ ...complete, TOKEN_JWKS_URL: 'http://[::1]:9000/keys' }, { jwksUrl: 'http://[::1]:9000/keys' }],
    [{ ...complete, MODE: 'live' }, { jwksUrl: complete.TOKEN_JWKS_URL }],
  ])('is accepted: %j', (env, expected) => {
    expect(read(env)).toMatchObject(expected);
  });

  it.each<[Record<string, string>, string]>([
    [
      { TOKEN_JWKS_URL: 'https://id.example/hidden' },
      'TOKEN_ISSUER: expected the claim iss of its tokens, such as https://id.example, because TOKEN_JWKS_URL is set',
    ],
    [{ TOKEN_AUDIENCE: 'x' }, 'because TOKEN_AUDIENCE is set'],
    [{ TOKEN_TENANTS: '*' }, 'because TOKEN_TENANTS is set'],
    [{ ...complete, TOKEN_ISSUER: 'two words' }, 'TOKEN_ISSUER: expected the claim iss'],
    [{ ...complete, TOKEN_ISSUER: 'x'.repeat(501) }, 'TOKEN_ISSUER: expected the claim iss'],
    [
      { ...complete, TOKEN_ISSUER: 'https://pay.example', PUBLIC_URL: 'https://pay.example/' },
      'TOKEN_ISSUER: expected an issuer other than this service',
    ],
    [{ ...complete, TOKEN_ISSUER: 'http://localhost:4000' }, 'TOKEN_ISSUER: expected an issuer other than this service'],
    [
      { ...complete, TOKEN_JWKS_URL: '' },
      'TOKEN_JWKS_URL: expected an https address (or http to this machine) without user and fragment, because TOKEN_ISSUER is set',
    ],
    [{ ...complete, TOKEN_JWKS_URL: 'hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...complete, TOKEN_JWKS_URL: 'file:///etc/hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...complete, TOKEN_JWKS_URL: 'http://id.example/hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [
      { ...complete, TOKEN_JWKS_URL: 'http://127.0.0.1:9/hidden', MODE: 'live' },
      'TOKEN_JWKS_URL: expected an https address without user',
    ],
    [{ ...complete, TOKEN_JWKS_URL: 'https://me:hidden@id.example/' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...complete, TOKEN_JWKS_URL: 'https://id.example/#hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...complete, TOKEN_AUDIENCE: 'two words' }, 'TOKEN_AUDIENCE: expected the claim aud'],
    [
      { ...complete, TOKEN_TENANTS: '' },
      'TOKEN_TENANTS: expected comma-separated ids of the tenants it may issue tokens for, or *, because TOKEN_ISSUER is set',
    ],
    [{ ...complete, TOKEN_TENANTS: ',' }, 'TOKEN_TENANTS: expected comma-separated ids'],
    [{ ...complete, TOKEN_TENANTS: 'acme' }, 'TOKEN_TENANTS: expected comma-separated ids'],
    [{ ...complete, TOKEN_TENANTS: `${tenant},*` }, 'TOKEN_TENANTS: expected comma-separated ids'],
  ])('is rejected without its URL in the error: %j', (env, message) => {
    const readInvalid = () => read(env);
    expect(readInvalid).toThrow(message);
    expect(readInvalid).not.toThrow('hidden');
  });
});

it.each([
  [{}, 'http://localhost:4000'],
  [{ PORT: '8080' }, 'http://localhost:8080'],
  [{ PUBLIC_URL: 'https://pay.example/x//' }, 'https://pay.example/x'],
  [{ PUBLIC_URL: 'https://pay.example', PORT: '0' }, 'https://pay.example'],
  [{ PORT: '0' }, undefined],
])('The service with %j has the issuer %s', (env, expected) => {
  expect(addressIn(readConfig(env as Record<string, string>))).toBe(expected);
});
