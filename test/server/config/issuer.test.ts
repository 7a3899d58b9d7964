import { describe, expect, it } from 'vitest';
import { addressIn, readConfig } from '../../../server/config/config.ts';

const tenant = '01990000-0000-7000-8000-00000000000a';
const other = '01990000-0000-7000-8000-00000000000B';
const whole = { TOKEN_ISSUER: 'https://id.example/', TOKEN_JWKS_URL: 'https://id.example/keys?v=1', TOKEN_TENANTS: tenant };
const read = (env: Record<string, string>) => readConfig(env).tokenIssuer;

describe('The configuration of an external issuer', () => {
  it('is undefined when its variables are unset or empty', () => {
    expect(read({})).toBe(undefined);
    expect(read({ TOKEN_ISSUER: '', TOKEN_JWKS_URL: '', TOKEN_AUDIENCE: '', TOKEN_TENANTS: '' })).toBe(undefined);
  });

  it.each<[Record<string, string>, object]>([
    [whole, { issuer: 'https://id.example/', jwksUrl: 'https://id.example/keys?v=1', audience: undefined, tenants: [tenant] }],
    [{ ...whole, TOKEN_TENANTS: ` ${tenant}, ${other},` }, { tenants: [tenant, other.toLowerCase()] }],
    [{ ...whole, TOKEN_TENANTS: ' * ' }, { tenants: 'all' }],
    [{ ...whole, TOKEN_AUDIENCE: 'fairterm' }, { audience: 'fairterm' }],
    [{ ...whole, TOKEN_ISSUER: 'accounts.example' }, { issuer: 'accounts.example' }],
    [{ ...whole, TOKEN_JWKS_URL: 'http://127.0.0.1:9000/keys' }, { jwksUrl: 'http://127.0.0.1:9000/keys' }],
    [{ ...whole, TOKEN_JWKS_URL: 'http://[::1]:9000/keys' }, { jwksUrl: 'http://[::1]:9000/keys' }],
    [{ ...whole, MODE: 'live' }, { jwksUrl: whole.TOKEN_JWKS_URL }],
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
    [{ ...whole, TOKEN_ISSUER: 'two words' }, 'TOKEN_ISSUER: expected the claim iss'],
    [{ ...whole, TOKEN_ISSUER: 'x'.repeat(501) }, 'TOKEN_ISSUER: expected the claim iss'],
    [
      { ...whole, TOKEN_ISSUER: 'https://pay.example', PUBLIC_URL: 'https://pay.example/' },
      'TOKEN_ISSUER: expected an issuer other than this service',
    ],
    [{ ...whole, TOKEN_ISSUER: 'http://localhost:4000' }, 'TOKEN_ISSUER: expected an issuer other than this service'],
    [
      { ...whole, TOKEN_JWKS_URL: '' },
      'TOKEN_JWKS_URL: expected an https address (or http to this machine) without user and fragment, because TOKEN_ISSUER is set',
    ],
    [{ ...whole, TOKEN_JWKS_URL: 'hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...whole, TOKEN_JWKS_URL: 'file:///etc/hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...whole, TOKEN_JWKS_URL: 'http://id.example/hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [
      { ...whole, TOKEN_JWKS_URL: 'http://127.0.0.1:9/hidden', MODE: 'live' },
      'TOKEN_JWKS_URL: expected an https address without user',
    ],
    [{ ...whole, TOKEN_JWKS_URL: 'https://me:hidden@id.example/' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...whole, TOKEN_JWKS_URL: 'https://id.example/#hidden' }, 'TOKEN_JWKS_URL: expected an https address'],
    [{ ...whole, TOKEN_AUDIENCE: 'two words' }, 'TOKEN_AUDIENCE: expected the claim aud'],
    [
      { ...whole, TOKEN_TENANTS: '' },
      'TOKEN_TENANTS: expected comma-separated ids of the tenants it may issue tokens for, or *, because TOKEN_ISSUER is set',
    ],
    [{ ...whole, TOKEN_TENANTS: ',' }, 'TOKEN_TENANTS: expected comma-separated ids'],
    [{ ...whole, TOKEN_TENANTS: 'acme' }, 'TOKEN_TENANTS: expected comma-separated ids'],
    [{ ...whole, TOKEN_TENANTS: `${tenant},*` }, 'TOKEN_TENANTS: expected comma-separated ids'],
  ])('is rejected without an address in the error: %j', (env, sentence) => {
    const readInvalid = () => read(env);
    expect(readInvalid).toThrow(sentence);
    expect(readInvalid).not.toThrow('hidden');
  });
});

it.each([
  [{}, 'http://localhost:4000'],
  [{ PORT: '8080' }, 'http://localhost:8080'],
  [{ TLS_CERT: 'c', TLS_KEY: 'k' }, 'https://localhost:4000'],
  [{ PUBLIC_URL: 'https://pay.example/x//' }, 'https://pay.example/x'],
  [{ PUBLIC_URL: 'https://pay.example', PORT: '0' }, 'https://pay.example'],
  [{ PORT: '0' }, undefined],
])('The service with %j has the issuer %s', (env, expected) => {
  expect(addressIn(readConfig(env as Record<string, string>))).toBe(expected);
});
