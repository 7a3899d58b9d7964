/** The lender's agreement, the Holder notice and the military disclosures, as shown, signed and stored. */
import { NO_CONTACT } from '../../../server/base/contact.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../../server/lending/programs/sample-agreement.ts';
import { agreementConsents } from '../../../server/agreements/consents.ts';
import { shownHash, type Terms } from '../../../server/agreements/agreement.ts';
import { fillAgreement } from '../../../server/agreements/agreement-text.ts';
import { loanTerms } from '../../../server/agreements/loan-terms.ts';
import { texts } from '../../../server/base/texts.ts';
import { renderHtml } from '../../../server/http/pages/html.ts';
import { AGREEMENT_PLACEHOLDERS } from '../../../shared/programs/documents.ts';
import { createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import {
  chair,
  copyOf,
  createCart,
  open,
  type Page,
  program,
  reachAgreement,
  reachDecision,
  sessionUrl,
  submit,
} from '../../support/checkout.ts';
import { createFee, createOffer, createProgram } from '../../support/programs.ts';
import { wordsOf } from '../../support/page.ts';
import { startService } from '../../support/service.ts';

const HOLDER_NOTICE =
  'ANY HOLDER OF THIS CONSUMER CREDIT CONTRACT IS SUBJECT TO ALL CLAIMS AND DEFENSES WHICH THE DEBTOR COULD ASSERT AGAINST THE SELLER OF GOODS OR SERVICES OBTAINED WITH THE PROCEEDS HEREOF. RECOVERY HEREUNDER BY THE DEBTOR SHALL NOT EXCEED AMOUNTS PAID BY THE DEBTOR HEREUNDER.';
const agreementWith = (paragraph: string) => {
  const text = { promise: ['I promise.'], sections: [{ heading: 'Terms', paragraphs: [paragraph] }] };
  const agreement = { version: 'v7', en: text, es: text };
  return createProgram({ documents: { agreement, coveredBorrower: { ...agreement, version: 'm7' } } });
};
const createTerms = (change: Record<string, unknown> = {}, context = {}): Terms => ({
  disclosure: createDisclosure(change, 124_800, { merchantName: 'Acme Goods', state: 'IL', ...context }),
  agreement: undefined,
});
describe('An agreement', () => {
  it('replaces every placeholder with a value of the disclosure', () => {
    const listed = AGREEMENT_PLACEHOLDERS.map((name) => `${name}={${name}}`).join('; ');
    const disclosure = createDisclosure({ late: { flatCents: 500 } }, 124_800, { merchantName: 'Acme Goods' });
    const { sections, version } = fillAgreement(agreementWith(listed), disclosure, 'Ada Lovelace', texts.en);

    expect(version).toBe('v7');
    expect(sections[0]!.paragraphs).toEqual([
      'lender=Fairterm Lending; merchant=Acme Goods; buyer=Ada Lovelace; date=November 21, 2026; amountFinanced=$1,248.00; principal=$1,248.00; downPayment=$0.00; dueToday=$0.00; apr=17.99%; interestRate=17.99%; financeCharge=$124.92; totalOfPayments=$1,372.92; paymentCount=12; payment=$114.41; lastPayment=$114.41; firstDue=December 21, 2026; lastDue=November 21, 2027; lateCharge=If a payment is late, you will be charged $5.00.; fees=No fee is charged for this loan.; firstPayment=$114.41; oddDaysInterest=Before the first payment, interest is charged for one month only.; startOfInterest=Interest starts on the day when Fairterm Lending pays Acme Goods for the order, and no payment is due until after it. The disclosure assumes that it is the date of this agreement, November 21, 2026. If it is a later day, the interest in the first payment is reduced in proportion, and if the first due date is not after it, all due dates move by whole months. No payment is higher than disclosed.',
    ]);
  });

  it.each([
    ['en', 'Origination fee of $12.48', '14 days beyond one month, calculated by days in a year of 365 days'],
    ['es', 'Comisión de apertura de $12.48', '14 días además de un mes, calculados por días en un año de 365 días'],
  ] as const)('states the fees, the interest of odd days and the first payment in the language %s', (language, fee, oddDays) => {
    const withPlaceholders = agreementWith('{fees} {oddDaysInterest} {firstPayment}');
    const disclosure = createDisclosure(
      {
        fees: [createFee({ amountBps: 100 })],
        schedule: { firstPaymentAfter: { months: 1, days: 14 }, oddDaysInterest: '365' },
      },
      124_800,
    );
    const text = fillAgreement(withPlaceholders, disclosure, 'Ada', texts[language]).sections[0]?.paragraphs[0];
    expect(text).toContain(fee);
    expect(text).toContain(oddDays);
    expect(text).toContain(texts[language].money(disclosure.payments[0]!.paymentCents, 'USD'));
  });

  it.each([
    ['no fee is returned after the loan is made', {}, {}, ''],
    [
      'a refund returns them within the days of the program',
      { prepayment: { penalty: false, feeRefundDays: 30 } },
      {},
      ' If Acme Goods refunds a part of your purchase within 30 days after the loan is made, the same part of each fee is credited to you.',
    ],
    [
      'each refund returns them to a covered borrower',
      { prepayment: { penalty: false, feeRefundDays: 30 } },
      { isCoveredBorrower: true },
      ' If Acme Goods refunds a part of your purchase after that, the same part of each fee is credited to you.',
    ],
  ])('states that fees shrink with the order, and that %s', (_title, change, context, credited) => {
    const disclosure = createDisclosure({ fees: [createFee({ amountBps: 100 })], ...change }, 124_800, {
      merchantName: 'Acme Goods',
      ...context,
    });
    expect(fillAgreement(agreementWith('{fees}'), disclosure, 'Ada', texts.en).sections[0]?.paragraphs[0]).toBe(
      'The principal includes these fees: Origination fee of $12.48. ' +
        `If a part of your purchase is canceled before the loan is made, each fee is reduced in the same proportion.${credited}`,
    );
  });

  it.each([
    ['en', 'settlement', 'Interest starts on the day when Fairterm Lending pays Acme Goods for the order'],
    ['en', 'signature', 'Interest starts on the date of this agreement, November 21, 2026.'],
    ['es', 'settlement', 'Los intereses comienzan el día en que Fairterm Lending le paga el pedido a Acme Goods'],
    ['es', 'signature', 'Los intereses comienzan en la fecha de este contrato, el 21 de noviembre de 2026.'],
  ] as const)('states once in the language %s that interest starts with the %s', (language, interestFrom, sentence) => {
    const t = texts[language];
    const { disclosure } = createTerms({ schedule: { interestFrom } });
    const termsWith = (paragraph: string) => {
      const agreement = fillAgreement(agreementWith(paragraph), disclosure, 'Ada', t);
      return wordsOf(renderHtml(loanTerms({ disclosure, agreement }, t)));
    };
    const inAgreement = termsWith('As agreed: {startOfInterest}');
    expect(inAgreement).toContain(`As agreed: ${sentence}`);
    expect(inAgreement).not.toContain(t.interestStart.label);
    // An agreement from before the placeholder.
    expect(termsWith('As agreed.')).toContain(`As agreed. ${t.interestStart.label} ${sentence}`);
    for (const terms of [inAgreement, termsWith('As agreed.')]) expect(terms.split(sentence)).toHaveLength(2);
  });

  it.each(['agreement', 'coveredBorrower'] as const)('of the sample (%s) does not date the payment to the merchant', (kind) => {
    for (const { promise, sections } of [sampleDocuments[kind].en, sampleDocuments[kind].es!]) {
      const loan = sections[0]!.paragraphs[0]!;
      expect(loan).toMatch(/^\{lender\} (?:pays|paga) .*\{merchant\}/);
      expect(JSON.stringify([promise, sections])).not.toContain('{date}');
      expect(JSON.stringify(sections)).toContain('"{startOfInterest}"');
    }
  });

  it('is that for covered borrowers if the buyer is one', () => {
    const disclosure = createDisclosure({}, 124_800, { isCoveredBorrower: true });
    expect(fillAgreement(agreementWith('A term.'), disclosure, 'Ada Lovelace', texts.en).version).toBe('m7');
  });

  it('shows markup in a name as text', () => {
    const disclosure = createDisclosure();
    const agreement = fillAgreement(agreementWith('{buyer}'), disclosure, '<script>alert(1)</script>', texts.en);
    expect(renderHtml(loanTerms({ disclosure, agreement }, texts.en))).toContain('&lt;script&gt;alert(1)');
  });

  it('changes the hash of what was shown if its text or version changes', () => {
    const shown = { billingContact: NO_CONTACT, shippingContact: NO_CONTACT, cardLabel: '' };
    const consents = agreementConsents(program, texts.en);
    const { disclosure } = createTerms();
    const agreement = fillAgreement(agreementWith('A term.'), disclosure, 'Ada', texts.en);
    const hashes = [undefined, agreement, { ...agreement, version: 'v8' }, { ...agreement, promise: ['I do not promise.'] }].map(
      (each) => shownHash({ disclosure, agreement: each }, shown, consents),
    );

    expect(new Set(hashes).size).toBe(4);
    expect(shownHash({ disclosure, agreement: { ...agreement } }, shown, consents)).toBe(hashes[1]);
  });

  it('of holiday.json is the sample agreement', () => {
    const holiday = JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8')) as { documents: unknown };
    expect(holiday.documents).toEqual(sampleDocuments);
  });

  it('of the sample for covered borrowers has no arbitration, which 32 CFR 232.8 prohibits', () => {
    expect(JSON.stringify(sampleDocuments.agreement)).toMatch(/Arbitration.*Arbitraje/);
    expect(JSON.stringify(sampleDocuments.coveredBorrower)).not.toMatch(/arbitra/i);
  });
});

describe('The notice to holders', () => {
  it('is in every language in its prescribed words', () => {
    for (const t of [texts.en, texts.es]) {
      expect(renderHtml(loanTerms(createTerms(), t))).toContain(`<strong>${HOLDER_NOTICE}</strong>`);
    }
  });

  it.each([
    ['there is no finance charge', { offers: [createOffer({ tierAprBps: { A: 0 } })] }],
    ['the loan is not a purchase money loan', { purchaseMoney: false }],
  ])('is absent if %s', (_, change) => {
    expect(renderHtml(loanTerms(createTerms(change), texts.en))).not.toContain('ANY HOLDER');
  });
});

describe('The military disclosures', () => {
  it('contain the prescribed statement and the toll-free number, only for covered borrowers', () => {
    const covered = wordsOf(renderHtml(loanTerms(createTerms({}, { isCoveredBorrower: true }), texts.en)));

    expect(covered).toContain(
      'Federal law provides important protections to members of the Armed Forces and their dependents relating to extensions of consumer credit. In general, the cost of consumer credit to a member of the Armed Forces and his or her dependent may not exceed an annual percentage rate of 36 percent.',
    );
    expect(covered).toContain('call 1-800-555-0102, toll-free.');
    expect(renderHtml(loanTerms(createTerms(), texts.en))).not.toContain('Armed Forces');
    expect(renderHtml(loanTerms(createTerms({}, { isCoveredBorrower: true }), texts.es))).toContain('Fuerzas Armadas');
  });
});

const service = await startService();
const merchant = await service.createMerchant();

describe('A checkout', () => {
  const urlOf = async (owner = merchant) => (await createCart(owner, { items: [{ ...chair, price: 124_800 }] })).url;
  const positionsIn = ({ text }: Page, parts: readonly string[]) => parts.map((part) => text.indexOf(part));
  const order = ['class="tila"', 'Promise to pay', 'Default</h2>', 'NOTICE</h2>', '>Balance<'];

  it('shows the disclosure, the promise, the terms, the notices, the schedule and the signature in this order', async () => {
    const agreement = await reachAgreement(await urlOf());
    const positions = positionsIn(agreement, [...order, 'name="signedName"']);

    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(agreement.text).toContain('I, Ada Lovelace, promise to pay Fairterm Lending the principal of $1,248.00');
    expect(agreement.text).toContain('Agreement version sample 3.');
    expect(agreement.text).not.toContain('Armed Forces and');
  });

  it('stores the agreement as shown with the signature', async () => {
    const agreement = await reachAgreement(await urlOf());
    await submit(agreement);
    const copy = await open(await copyOf(await open(sessionUrl(agreement)), service.database));
    const positions = positionsIn(copy, [...order, 'class="signature"']);

    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const section = /<section class="terms".*?<\/section>/s;
    const normalized = ({ text }: Page) => wordsOf(section.exec(text)![0]);
    expect(normalized(copy)).toBe(normalized(agreement));
  });

  it('of a covered borrower has the statement and the agreement for covered borrowers, on the page and in the copy', async () => {
    const agreement = await reachAgreement(await urlOf(), { taxIdLast4: '1201' });
    await submit(agreement, { taxIdLast4: '1201' });
    const copy = await open(await copyOf(await open(sessionUrl(agreement)), service.database));

    for (const { text } of [agreement, copy]) {
      expect(text).toContain('Agreement version sample 3 (military).');
      expect(text).toContain('may not exceed an annual percentage rate of 36 percent');
      expect(wordsOf(text)).toContain('call 1-800-555-0102, toll-free');
      expect(text).not.toContain('Arbitration');
    }
  });

  it('of a covered borrower offers no plan above a military APR of 36 %, also if the program has no military cap', async () => {
    const offers = [
      createOffer({ id: 'high', termLength: 24, tierAprBps: { A: 4_000 } }),
      createOffer({ id: 'low', termLength: 12, tierAprBps: { A: 1_000 } }),
    ];
    const uncapped = createProgram({ offers, caps: { maxAprBps: 4_500, maprCapBps: null } });
    const owner = await service.createMerchant({ program: uncapped });
    const plansFor = async (taxIdLast4: string) => {
      const plans = await reachDecision(await urlOf(owner), { taxIdLast4 });
      return [...plans.text.matchAll(/name="offerId"[^>]*value="(\w+)"/g)].map(([, id]) => id);
    };

    expect(await plansFor('1001')).toEqual(['high', 'low']);
    expect(await plansFor('1201')).toEqual(['low']);
  });
});
