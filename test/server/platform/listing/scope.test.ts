import { describe, expect, it } from 'vitest';
import { subsetsOf } from '../../../support/tables.ts';
import { merchantFor, scopeOf } from '../../../../server/platform/listing/scope.ts';

const TENANT = '0190a5b0-0000-7000-8000-00000000000a';
const OTHER = '0190a5b0-0000-7000-8000-00000000000b';
const NIL = '00000000-0000-0000-0000-000000000000';
const validClaims = { TenantID: TENANT, scope: 'r:application' };

const notIds = [
  NIL,
  '',
  'acme',
  ` ${TENANT}`,
  `${TENANT}\n`,
  `{${TENANT}}`,
  TENANT.replaceAll('-', ''),
  `${TENANT},${OTHER}`,
  '%',
];
const notTexts: unknown[] = [null, undefined, 7, 0, true, [TENANT], [], { eq: TENANT }, { toString: () => TENANT }];
const rejectionOf = (claim: string) =>
  expect.objectContaining({ code: 'token-claim-invalid', details: expect.objectContaining({ claim }) });

describe('A scope', () => {
  const optional = ['MerchantID', 'ProgramID', 'BuyerID'] as const;
  const names = { MerchantID: 'merchantId', ProgramID: 'programId', BuyerID: 'buyerId' } as const;

  it.each(subsetsOf(optional).map((subset) => [subset]))(
    'of TenantID and the optional claims %j contains exactly these',
    (subset) => {
      const claims = Object.fromEntries(subset.map((name, index) => [name, OTHER.replace(/b$/, String(index))]));
      const expected = Object.fromEntries(subset.map((name) => [names[name], claims[name]]));
      expect(scopeOf({ ...validClaims, ...claims })).toEqual({ tenantId: TENANT, ...expected });
    },
  );

  it.each(['TenantID', ...optional] as const)('converts %s to lower case, as ids are stored', (name) => {
    const key = name === 'TenantID' ? 'tenantId' : names[name];
    expect(scopeOf({ ...validClaims, [name]: OTHER.toUpperCase() })).toMatchObject({ [key]: OTHER });
  });

  const claims = (['TenantID', ...optional] as const).flatMap((name) =>
    [...notIds, ...notTexts].map((value) => [name, value] as const),
  );
  it.each(claims)('is rejected when %s is %j', (claim, value) => {
    expect(() => scopeOf({ ...validClaims, [claim]: value })).toThrow(rejectionOf(claim));
  });

  it('is rejected without TenantID, even if other claims contain an id or TenantID is inherited', () => {
    const rejection = rejectionOf('TenantID');
    expect(() => scopeOf({ scope: 'r:application', MerchantID: OTHER })).toThrow(rejection);
    expect(() => scopeOf({ scope: 'r:application', tid: TENANT, tenant: TENANT })).toThrow(rejection);
    expect(() => scopeOf(Object.create(validClaims) as Record<string, unknown>)).toThrow(rejection);
  });

  it.each([
    ['TenantID', 'tenantid'],
    ['MerchantID', 'merchantID'],
    ['MerchantID', 'MerchantId'],
    ['ProgramID', 'programId'],
    ['BuyerID', 'BUYERID'],
  ])('is rejected when %s is misspelled as %s, because the issuer meant a narrower scope', (claim, misspelled) => {
    const rejection = rejectionOf(claim);
    expect(() => scopeOf({ ...validClaims, [misspelled]: OTHER })).toThrow(rejection);
    expect(() => scopeOf({ ...validClaims, [claim]: OTHER, [misspelled]: OTHER })).toThrow(rejection);
  });

  it('reports an invalid claim before a missing permission', () => {
    expect(() => scopeOf({ ...validClaims, BuyerID: NIL, scope: '' })).toThrow(
      expect.objectContaining({ code: 'token-claim-invalid' }),
    );
  });

  it.each(['r:application', 'r:application r:order', 'openid r:application', 'openid  r:application '])(
    'is granted by the scope claim %j',
    (scope) => {
      expect(scopeOf({ ...validClaims, scope })).toEqual({ tenantId: TENANT });
    },
  );

  it.each([
    undefined,
    null,
    '',
    'r:applications',
    'r:applicatio',
    'xr:application',
    'R:APPLICATION',
    'w:application',
    'r:application,r:order',
    'r:application\nr:order',
    'r:*',
    ['r:application'],
    { 'r:application': true },
    true,
  ])('is not granted by the scope claim %j', (scope) => {
    expect(() => scopeOf({ TenantID: TENANT, scope })).toThrow(
      expect.objectContaining({ code: 'scope-missing', details: { expected: 'r:application' } }),
    );
  });

  it('is not granted by a claim with another name', () => {
    for (const name of ['scp', 'Scope', 'scopes', 'permissions']) {
      expect(() => scopeOf({ TenantID: TENANT, [name]: 'r:application' })).toThrow(
        expect.objectContaining({ code: 'scope-missing' }),
      );
    }
  });
});

describe('The merchant of a request', () => {
  const scope = { tenantId: TENANT };

  it.each([
    ['undefined for an unrestricted token without a filter', undefined, undefined, undefined],
    ['the requested one for an unrestricted token', undefined, OTHER, OTHER],
    ["the token's without a filter", OTHER, undefined, OTHER],
    ["the token's with an equal filter", OTHER, OTHER, OTHER],
  ])('is %s', (_title, merchantId, requested, expected) => {
    expect(merchantFor({ ...scope, merchantId }, requested)).toBe(expected);
  });

  it("cannot differ from the token's", () => {
    expect(() => merchantFor({ ...scope, merchantId: OTHER }, TENANT)).toThrow(
      expect.objectContaining({
        code: 'merchant-conflict',
        details: { parameter: 'merchantID.eq', expected: OTHER, received: TENANT },
      }),
    );
  });
});
