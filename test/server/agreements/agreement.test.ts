import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { disclosureHash, isIntact } from '../../../server/agreements/agreement.ts';
import { discloseLoan } from '../../../shared/disclosure/disclose-loan.ts';
import { canonicalJson } from '../../../shared/disclosure/canonical-json.ts';
import { plansFor } from '../../../shared/plans.ts';
import { program, sheet } from '../../support/checkout.ts';
import type { PaymentAgreement } from '../../../server/lending/applications/signature.ts';
import { createAgreementFacts, storedAgreement } from './agreement-facts.ts';

const [plan] = plansFor(sheet, 124_800, '2026-11-21');
const disclosure = discloseLoan(program, plan!, { date: '2026-11-21', state: 'IL', merchantName: 'Acme Goods' });
const signed = storedAgreement(createAgreementFacts({}, disclosure).agreement);
/** Returns the agreement as read from the database. */
const stored = () => JSON.parse(JSON.stringify(signed)) as PaymentAgreement;

describe('The hash of a disclosure', () => {
  it('is the SHA-256 of its canonical JSON', () => {
    const bytes = new TextEncoder().encode(canonicalJson(disclosure));

    expect(disclosureHash(disclosure)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(disclosureHash(disclosure)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(Object.keys(disclosure))('depends on %s', (field) => {
    expect(disclosureHash({ ...disclosure, [field]: 'another' })).not.toBe(signed.disclosureHash);
  });
});

describe('A stored agreement', () => {
  it('is intact while its disclosure matches the signature', () => {
    expect(isIntact(stored())).toBe(true);
  });

  it.each([
    ['another rate', { ...disclosure, apr: 0.0998 }],
    ['an additional field', { ...disclosure, note: '' }],
    ['a missing field', { ...disclosure, stateNotices: undefined }],
    ['the fields of another version of the service', { creditor: 'Fairterm Lending', apr: 0.0999, payments: [] }],
    ['no fields', {}],
  ])('is not intact with %s', (_title, other) => {
    expect(isIntact({ ...stored(), disclosure: other as typeof disclosure })).toBe(false);
  });
});
