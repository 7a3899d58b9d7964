import { expect, it } from 'vitest';
import { documentOf } from '../../../server/agreements/document.ts';
import { loanTerms } from '../../../server/agreements/loan-terms.ts';
import { paymentChart, planPictures } from '../../../server/agreements/payment-chart.ts';
import { texts } from '../../../server/base/texts.ts';
import { type Html, renderHtml } from '../../../server/http/pages/html.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { createDisclosure, elaborate } from '../../shared/disclosure/create-disclosure.ts';
import { Page } from '../../support/page.ts';
import { createOffer } from '../../support/programs.ts';
import { createAgreementFacts } from './agreement-facts.ts';

const drawn = (content: Html) => new Page('https://pay.example/', { status: 200, text: renderHtml(content) });
const ofTerm = (termLength: number, aprBps: number) =>
  createDisclosure({ offers: [createOffer({ termLength, tierAprBps: { A: aprBps } })] });
const loans: [name: string, disclosure: LoanDisclosure][] = [
  ['with interest', createDisclosure()],
  ['without interest', ofTerm(6, 0)],
  ['of one payment', ofTerm(1, 999)],
  ['of 84 payments', ofTerm(84, 999)],
  ['with fees and a longer first period', createDisclosure(elaborate, 124_800, { state: 'CA' })],
];

/** Returns the heights of the bars of a series in percent of their plot. */
function heightsOf(page: Page, series: string): number[] {
  const bars = page.attribute('path', 'd', { class: series, stroke: 'none' })!;
  return [...bars.matchAll(/M[\d.]+ ([\d.]+)V([\d.]+)/g)].map(([, from, to]) => Number(from) - Number(to));
}

it.each(loans.flatMap(([name, disclosure]) => (['en', 'es'] as const).map((language) => [name, language, disclosure] as const)))(
  'The picture of a loan %s has each payment of its disclosure: %s',
  (_name, language, { payments, currency }) => {
    const t = texts[language];
    const page = drawn(paymentChart(payments, currency, t));
    const money = (cents: number) => t.money(cents, currency);

    expect(page.texts('td')).toEqual(
      payments.flatMap(({ dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
        t.date(dueOn),
        ...[paymentCents, interestCents, principalCents, balanceCents].map(money),
      ]),
    );
    expect(page.texts('title')).toHaveLength(payments.length);
    const [first] = payments;
    expect(page.texts('p', { class: 'reading' })[0]).toBe(
      `${t.date(first!.dueOn)}: ${t.loan.payment} ${money(first!.paymentCents)}, ${t.loan.interest} ${money(first!.interestCents)}, ` +
        `${t.loan.principal} ${money(first!.principalCents)}, ${t.loan.balance} ${money(first!.balanceCents)}`,
    );
    for (const { dueOn } of [first!, payments.at(-1)!]) expect(page.texts('span')).toContain(t.date(dueOn));
    expect(page.texts('p', { class: 'hint' })).toEqual([t.loan.onTime]);
    // The bars have the ratio of the figures.
    const scale = heightsOf(page, 'bars-2')[0]! / first!.principalCents;
    payments.forEach(({ interestCents, principalCents }, index) => {
      expect(Math.abs(heightsOf(page, 'bars-1')[index]! - interestCents * scale)).toBeLessThan(0.05);
      expect(Math.abs(heightsOf(page, 'bars-2')[index]! - principalCents * scale)).toBeLessThan(0.05);
    });
  },
);

it('The picture of payments that a lender stated has no interest, principal and balance', () => {
  const payments = createDisclosure().payments.map(({ dueOn, paymentCents }) => ({ dueOn, paymentCents }));
  const page = drawn(paymentChart(payments, 'USD', texts.en));
  expect(page.texts('th')).toEqual(['Due', 'Payment']);
  expect(page.text).not.toMatch(/Interest|Principal|Balance/);
});

it('The picture is on the page of the agreement, outside of the federal disclosure, and neither in the document nor its hash', () => {
  const { agreement } = createAgreementFacts();
  const { disclosure } = agreement;
  const terms = { disclosure, agreement: { version: '1', promise: ['I promise to pay.'], sections: [] } };
  const page = renderHtml(loanTerms(terms, texts.en));
  const { html } = documentOf(createAgreementFacts(), texts.en);
  const [federal] = /<section class="tila".*?<\/section>/s.exec(page)!;

  expect(page).toContain(texts.en.loan.onTime);
  expect(page).toContain('<figure class="chart">');
  for (const part of [federal, html, renderHtml(loanTerms(terms, texts.en, 'open'))]) {
    expect(part).not.toMatch(/<svg class="picture"|<figure/);
    expect(part).not.toContain(texts.en.loan.onTime);
  }
});

it('The pictures of plans have one scale of months and amounts', () => {
  const plans = [ofTerm(24, 999).payments, ofTerm(6, 599).payments];
  const pictureOf = planPictures(plans);
  const [long, short] = plans.map((payments) => drawn(pictureOf(payments))) as [Page, Page];
  const highestOf = (page: Page, index = 0) => heightsOf(page, 'bars-1')[index]! + heightsOf(page, 'bars-2')[index]!;
  const ratio = plans[0]![0]!.paymentCents / plans[1]![0]!.paymentCents;

  expect([heightsOf(long, 'bars-2').length, heightsOf(short, 'bars-2').length]).toEqual([24, 6]);
  expect(highestOf(short)).toBeGreaterThan(99);
  expect(Math.abs(highestOf(long) / highestOf(short) - ratio)).toBeLessThan(0.001);
  const firstBars = [long, short].map((page) => /^M[\d.]+/.exec(page.attribute('path', 'd', { class: 'bars-1' })!)![0]);
  expect(firstBars[0]).toBe(firstBars[1]);
});
