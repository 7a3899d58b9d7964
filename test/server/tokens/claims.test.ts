import { describe, expect, it } from 'vitest';
import { issuerIn, requireAudience, requireTimely } from '../../../server/tokens/claims.ts';

const now = 1_795_000_000;

const refusalOf = (judge: () => void): unknown => {
  try {
    judge();
    return 'none';
  } catch (thrown) {
    const { refusal, details } = thrown as { refusal: string; details: Record<string, string> };
    return details['received'] ? `${refusal} ${details['claim']} ${details['received']}` : refusal;
  }
};

describe('The time of a token', () => {
  it.each([
    [{ exp: now + 1 }, 'none'],
    [{ exp: now - 29 }, 'none'],
    [{ exp: now - 30 }, 'token-expired'],
    [{ exp: 0 }, 'token-expired'],
    [{ exp: now + 0.5 }, 'none'],
    [{ exp: 1e300 }, 'none'],
    [{}, 'token-claim-invalid exp none'],
    [{ exp: null }, 'token-claim-invalid exp null'],
    [{ exp: String(now + 60) }, 'token-claim-invalid exp a string'],
    [{ exp: [now + 60] }, 'token-claim-invalid exp a list'],
    [{ exp: { seconds: now + 60 } }, 'token-claim-invalid exp an object'],
    [{ exp: true }, 'token-claim-invalid exp a boolean'],
    [{ exp: JSON.parse('1e999') as number }, 'token-claim-invalid exp a number'],
    [{ exp: now + 60, nbf: now + 30 }, 'none'],
    [{ exp: now + 60, nbf: now + 31 }, 'token-not-yet-valid'],
    [{ exp: now + 60, nbf: 'soon' }, 'token-claim-invalid nbf a string'],
    [{ exp: now + 60, iat: 'today' }, 'token-claim-invalid iat a string'],
    [{ exp: now + 60, iat: now + 3_600 }, 'none'],
    [{ exp: now - 60, nbf: now + 60 }, 'token-expired'],
    [Object.create({ exp: now + 60 }) as object, 'token-claim-invalid exp none'],
  ])('%j: %s', (claims, refusal) => {
    expect(refusalOf(() => requireTimely(claims as Record<string, unknown>, now))).toBe(refusal);
  });
});

describe('The audience of a token', () => {
  const here = 'https://pay.example';
  it.each([
    [here, 'none'],
    [[here], 'none'],
    [['https://other.example', here], 'none'],
    ['https://pay.example/', 'token-audience-wrong'],
    ['HTTPS://pay.example', 'token-audience-wrong'],
    [[], 'token-audience-wrong'],
    [[[here]], 'token-audience-wrong'],
    [{ 0: here }, 'token-audience-wrong'],
    [null, 'token-audience-wrong'],
    ['', 'token-audience-wrong'],
    [undefined, 'token-claim-invalid aud none'],
  ])('%j: %s', (aud, refusal) => {
    expect(refusalOf(() => requireAudience(aud === undefined ? {} : { aud }, here))).toBe(refusal);
  });
});

describe('The issuer of a token', () => {
  it.each([
    ['https://pay.example', 'none'],
    [undefined, 'token-claim-invalid iss none'],
    [['https://pay.example'], 'token-claim-invalid iss a list'],
    [7, 'token-claim-invalid iss a number'],
  ])('%j: %s', (iss, refusal) => {
    expect(refusalOf(() => issuerIn(iss === undefined ? {} : { iss }))).toBe(refusal);
  });
});
