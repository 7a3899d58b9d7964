import { describe, expect, it } from 'vitest';
import { loanBlock } from '../../../../server/purchases/transactions/loan-block.ts';
import { loanAfter, type LoanRow } from '../../../../server/purchases/transactions/loan.ts';
import type { NewEntry } from '../../../../server/purchases/transactions/store.ts';
import { texts } from '../../../../server/base/texts.ts';
import type { Instant } from '../../../../server/base/time.ts';
import type { LoanDisclosure } from '../../../../shared/disclosure/loan-disclosure.ts';
import { createDisclosure } from '../../../shared/disclosure/create-disclosure.ts';
import { createFee, createOffer } from '../../../support/programs.ts';

const at: Instant = '2026-11-25T12:00:00.000000Z';
/** A loan of $600.00; a card pays $400.00 of the order. It was signed on November 21. */
const disclosure = createDisclosure({ lender: { name: 'First Fair Bank' } }, 60_000, { merchantName: 'Acme Goods' });
const row: LoanRow = {
  status: 'PENDING',
  totalCents: 100_000,
  cardCents: 40_000,
  timeZone: 'America/New_York',
  lenderSchedule: undefined,
  cardHold: undefined,
};
const change = (type: NewEntry['type'], amountCents = 0, cardCents = 0) => ({ type, amountCents, cardCents, at });
const created = change('created', 100_000);
const authorized = change('authorized', 100_000);
/** On the day of the signature. */
const settled = { ...change('settled', 100_000), at: '2026-11-21T17:00:00.000000Z' } as const;
const settledLater = { ...settled, at };
const payments = [{ dueOn: '2027-01-01', amountCents: 5_000 }] as const;
const parties = { lender: 'First Fair Bank', merchant: 'Acme Goods', currency: 'USD' };
const loanOf = (facts: Partial<LoanRow>, ...changes: ReturnType<typeof change>[]) =>
  loanAfter(
    { ...row, ...facts },
    [created, ...changes].map((each, index) => ({ ...each, sequence: index + 1 })),
    disclosure,
  );
const sentencesOf = (facts: Partial<LoanRow>, ...changes: ReturnType<typeof change>[]) => {
  const block = loanBlock(loanOf(facts, ...changes), parties, texts.en);
  return block && [block.heading, ...(block.paragraphs ?? [])];
};

describe('The loan of a purchase', () => {
  it.each([
    ['signed', { status: 'PENDING' }, [], { state: 'signed', payments: null }],
    ['settled', { status: 'SETTLED' }, [authorized, settled], { state: 'signed', payments: null, isFunded: true }],
    ['canceled', { status: 'CANCELED' }, [change('canceled', 100_000)], { state: 'void', cause: 'canceled', payments: [] }],
    ['expired', { status: 'EXPIRED' }, [authorized, change('expired')], { state: 'void', cause: 'expired', payments: [] }],
    ['settled later', { status: 'SETTLED' }, [authorized, settledLater], { state: 'signed', startedOn: '2026-11-25' }],
    [
      'canceled as far as the loan would pay it',
      { status: 'AUTHORIZED' },
      [change('canceled', 60_000)],
      { state: 'void', cause: 'paid-by-card', payments: [] },
    ],
    [
      'canceled as far as the loan would pay it, and settled',
      { status: 'SETTLED' },
      [authorized, change('canceled', 60_000), settledLater],
      { state: 'void', cause: 'paid-by-card', isFunded: false, payments: [] },
    ],
    [
      'canceled in part',
      { status: 'PENDING' },
      [change('canceled', 10_000)],
      { state: 'reduced', isFunded: false, reducedCents: 10_000 },
    ],
    [
      'canceled as far as its declined card would pay it',
      { status: 'AUTHORIZED' },
      [authorized, change('card-declined', 40_000), change('canceled', 40_000, 40_000)],
      { state: 'signed', payments: null, reducedCents: 0 },
    ],
    [
      'refunded in part',
      { status: 'SETTLED' },
      [authorized, settled, change('refunded', 10_000)],
      { state: 'reduced', isFunded: true, reducedCents: 10_000 },
    ],
    [
      'refunded as far as the loan paid it',
      { status: 'SETTLED' },
      [authorized, settled, change('refunded', 70_000)],
      { state: 'refunded', reducedCents: 60_000, payments: [] },
    ],
    [
      'refunded',
      { status: 'REFUNDED' },
      [authorized, settled, change('refunded', 100_000)],
      { state: 'refunded', reducedCents: 60_000, payments: [] },
    ],
  ] as const)('that was %s has the state %j', (_what, facts, changes, expected) => {
    expect(loanOf(facts, ...changes)).toMatchObject(expected);
  });

  it('has recalculated payments after a partial cancel, and those of the lender if it stated them', () => {
    const { payments: recalculated, calculatedBy } = loanOf({}, change('canceled', 30_000));
    expect(calculatedBy).toBe('service');
    expect(recalculated).toHaveLength(disclosure.payments.length);
    for (const [index, { dueOn, amountCents }] of recalculated!.entries()) {
      const { dueOn: signedDueOn, paymentCents } = disclosure.payments[index]!;
      expect(dueOn).toBe(signedDueOn);
      expect(Math.abs(amountCents - paymentCents / 2)).toBeLessThan(10);
    }
    const stated = loanOf({ status: 'SETTLED', lenderSchedule: { revision: 3, payments } }, settled, change('refunded', 30_000));
    expect(stated).toMatchObject({ state: 'reduced', payments, calculatedBy: 'lender' });
  });

  it.each([
    ['an authorization', 'lender', 'AUTHORIZED', [authorized]],
    ['a cancellation that its card would have paid', 'lender', 'AUTHORIZED', [change('canceled', 40_000, 40_000)]],
    ['a partial cancellation', 'service', 'PENDING', [change('canceled', 30_000)]],
    ['a settlement on the day of the signature', 'lender', 'SETTLED', [settled]],
    ['a later settlement', 'service', 'SETTLED', [settledLater]],
    ['a partial refund', 'service', 'SETTLED', [settled, change('refunded', 30_000)]],
  ] as const)('has, after %s, the payments that the %s stated last', (_what, calculatedBy, status, changes) => {
    expect(loanOf({ status, lenderSchedule: { revision: 1, payments } }, ...changes)).toMatchObject({ calculatedBy });
  });

  it('states what the card does not pay', () => {
    const declined = { status: 'AUTHORIZED', cardHold: { outcome: 'declined' } } as const;
    expect(loanOf(declined, authorized).unpaidCardCents).toBe(40_000);
    expect(loanOf(declined, authorized, change('canceled', 10_000, 10_000)).unpaidCardCents).toBe(30_000);
    expect(loanOf({ status: 'SETTLED' }, authorized, settled, change('card-capture-failed')).unpaidCardCents).toBe(40_000);
    const failed = [authorized, settled, change('card-capture-failed')];
    expect(loanOf({ status: 'SETTLED' }, ...failed, change('card-captured')).unpaidCardCents).toBe(0);
    expect(loanOf({ status: 'AUTHORIZED' }, authorized).unpaidCardCents).toBe(0);
  });

  describe('with fees of 2 %, $10 and $9', () => {
    const fees = [{ amountBps: 200 }, { flatCents: 1_000, kind: 'application' }, { flatCents: 900, kind: 'service' }];
    const terms = {
      lender: { name: 'First Fair Bank' },
      offers: [createOffer({ termLength: 12, tierAprBps: { A: 1_799 } })],
      fees: fees.map((fee, index) => createFee({ id: `fee-${index}`, ...fee })),
    };
    const signedBy = (coveredBorrower: boolean, prepayment = {}) =>
      createDisclosure({ ...terms, prepayment: { penalty: false, ...prepayment } }, 129_900, {
        merchantName: 'Acme Goods',
        isCoveredBorrower: coveredBorrower,
      });
    const order = { ...row, totalCents: 129_900, cardCents: 0 };
    const loanWith = (signed: LoanDisclosure, facts: Partial<LoanRow>, ...changes: ReturnType<typeof change>[]) =>
      loanAfter(
        { ...order, ...facts },
        [change('created', 129_900), ...changes].map((each, index) => ({ ...each, sequence: index + 1 })),
        signed,
      );
    const lastSentenceOf = (loan: ReturnType<typeof loanWith>) => loanBlock(loan, parties, texts.en)!.paragraphs.at(-1);

    it.each([120_000, 125_000])(
      'keeps the signed rate after a cancellation of most of the order, also of a covered borrower (%d cents)',
      (cents) => {
        for (const isCovered of [true, false]) {
          const signed = signedBy(isCovered);
          const { cost } = loanWith(signed, {}, change('canceled', cents));
          // Payments of a few dollars are whole cents.
          expect(Math.abs(cost!.aprBps - Math.round(signed.apr * 10_000))).toBeLessThanOrEqual(12);
          expect(cost!.aprBps).toBeLessThanOrEqual(3_599);
        }
      },
    );

    it('names the fees that remain, with the figures of the changed loan', () => {
      const block = loanBlock(loanWith(signedBy(false), {}, change('canceled', 64_950)), parties, texts.en)!;
      expect(block.paragraphs.slice(-2)).toEqual([
        'Without the canceled and refunded amounts, your loan is $649.50 and costs $89.75 in all: an annual percentage rate of 24.60%.',
        'This includes: Origination fee of $12.99, Application fee of $5.00, and Service fee of $4.50.',
      ]);
    });

    it('returns all of them with a full refund to a covered borrower, and within the stated days to others', () => {
      const refunded = change('refunded', 129_900);
      for (const signed of [signedBy(true), signedBy(false, { feeRefundDays: 4 })]) {
        const loan = loanWith(signed, { status: 'REFUNDED' }, settled, refunded);
        expect(loan.payments).toEqual([]);
        expect(lastSentenceOf(loan)).toBe(
          'You make no more payments. If you have paid more than you owe, First Fair Bank returns it.',
        );
      }
    });

    it('names each fee that stays after a refund that returns none', () => {
      const loan = loanWith(signedBy(false, { feeRefundDays: 3 }), { status: 'REFUNDED' }, settled, change('refunded', 129_900));
      expect(loan.payments).toHaveLength(12);
      expect(lastSentenceOf(loan)).toBe(
        'Your agreement returns no fees for this refund. These fees stay: Origination fee of $25.98, Application fee of $10.00, and Service fee of $9.00.',
      );
    });
  });

  it('is described in sentences', () => {
    expect(sentencesOf({})).toBeUndefined();
    expect(sentencesOf({ status: 'CANCELED' }, change('canceled', 100_000))).toEqual([
      'No loan was made',
      'Your order was canceled. There is no loan, and you owe nothing.',
      'The agreement that you signed with First Fair Bank is void.',
    ]);
    expect(sentencesOf({ status: 'EXPIRED' })).toEqual([
      'Your order has expired',
      'Your order was not completed in time. There is no loan, and you owe nothing.',
      'The agreement that you signed with First Fair Bank is void.',
    ]);
    expect(sentencesOf({}, change('canceled', 60_000))![1]).toBe(
      'The part of your order that the loan would have paid was canceled. There is no loan, and you owe First Fair Bank nothing.',
    );
    const declined = { status: 'AUTHORIZED', cardHold: { outcome: 'declined' } } as const;
    expect(sentencesOf(declined, change('canceled', 60_000), authorized)![3]).toBe(
      'The card that pays $400.00 of your order was declined or could not be charged. Contact Acme Goods about your order.',
    );
    const cost =
      'Without the canceled and refunded amounts, your loan is $500.00 and costs $50.05 in all: an annual percentage rate of 17.99%.';
    expect(sentencesOf({}, change('canceled', 10_000))).toEqual([
      'Your loan is smaller',
      'Acme Goods reduced your order before the loan was made. You borrow $100.00 less than you signed for.',
      cost,
    ]);
    expect(sentencesOf({ status: 'SETTLED' }, settled, change('refunded', 10_000))).toEqual([
      'Your loan is smaller',
      'Acme Goods refunded $100.00 of what First Fair Bank lent you.',
      'These payments assume that you made each payment that was due. First Fair Bank can tell you exactly what you owe.',
      cost,
    ]);
    const reducedBefore = 'Acme Goods reduced your order before the loan was made. You borrow $100.00 less than you signed for.';
    expect(sentencesOf({ status: 'SETTLED' }, change('canceled', 10_000), settled)![1]).toBe(reducedBefore);
    expect(sentencesOf({ status: 'SETTLED' }, change('canceled', 10_000), settled, change('refunded', 5_000))).toEqual([
      'Your loan is smaller',
      reducedBefore,
      'Acme Goods refunded $50.00 of what First Fair Bank lent you.',
      'These payments assume that you made each payment that was due. First Fair Bank can tell you exactly what you owe.',
      'Without the canceled and refunded amounts, your loan is $450.00 and costs $45.04 in all: an annual percentage rate of 17.99%.',
    ]);
    expect(sentencesOf({ status: 'SETTLED' }, settledLater)).toEqual([
      'Your payments',
      'First Fair Bank paid Acme Goods on November 25, 2026. Your loan starts on that day, and you pay no interest for the time before. These payments replace those in your agreement.',
    ]);
    expect(sentencesOf({ status: 'REFUNDED' }, settled, change('refunded', 100_000))).toEqual([
      'Your order was refunded',
      'Acme Goods refunded everything that the loan paid.',
      'The other $400.00 of the refund goes to the card that paid a part of your order.',
      'You make no more payments. If you have paid more than you owe, First Fair Bank returns it.',
    ]);
    const uncharged = loanOf({ status: 'REFUNDED' }, settled, change('card-capture-failed', 40_000), change('refunded', 100_000));
    expect(uncharged.cardRefundedCents).toBe(0);
    expect(sentencesOf({ status: 'AUTHORIZED', cardHold: { outcome: 'declined' } }, authorized)).toEqual([
      'Your card was declined',
      'The card that pays $400.00 of your order was declined or could not be charged. Your loan has not changed. Contact Acme Goods about this part.',
    ]);
  });

  it('has its payments, the next one and their total', () => {
    const block = loanBlock(loanOf({ lenderSchedule: { revision: 2, payments } }), parties, texts.en);
    expect(block).toMatchObject({
      heading: 'Your payments',
      paragraphs: ['First Fair Bank has stated these payments. They replace those in your agreement and in earlier emails.'],
      rows: [
        ['Payments', '1 payment of $50.00'],
        ['Next payment due', 'January 1, 2027'],
        ['Total of payments', '$50.00'],
      ],
    });
  });
});
