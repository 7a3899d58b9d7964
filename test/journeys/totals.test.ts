/** The totals of purchases under random programs, in everything that a buyer and a lender receive. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { texts } from '../../server/base/texts.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { formatApr } from '../../shared/languages/texts.ts';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { type Language, LANGUAGES } from '../../shared/languages/index.ts';
import { formatMoney } from '../../shared/money.ts';
import { type Plan, plansFor } from '../../shared/plans.ts';
import { checkProgram } from '../../shared/programs/check.ts';
import type { Program } from '../../shared/programs/program.ts';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import { randomProgram } from '../shared/disclosure/random-programs.ts';
import { budgetMs, campaignTimeoutMs, firstSeed } from '../support/campaign.ts';
import { chair, copyOf, createCart, open, reachDecision, sessionUrl, submit } from '../support/checkout.ts';
import { respondsWith, startLender } from '../support/lenders.ts';
import { seededRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { type CivilDate, dateIn } from '../../shared/dates.ts';

/** The totals of a loan as text, `$1,268.26`. Not every message contains each of them. */
interface Totals {
  apr: string;
  amountFinanced: string;
  financeCharge?: string;
  totalOfPayments?: string;
  /** Undefined without a down payment. */
  downPayment?: string | undefined;
  /** Number and amount of equal payments, as in `12 × $105.69`. */
  payments: string[];
}

it(
  'The totals of a purchase are the same text in the pages, the e-mail, the stored document, its PDF and the lender’s message',
  async () => {
    let tierId = 'A';
    const lender = await startLender(
      (response, request) =>
        respondsWith('signedName' in request.body ? { outcome: 'accepted' } : { outcome: 'approved', tierId, limitCents: null })(
          response,
          request,
        ),
      { isPlain: true },
    );
    const service = await startService(undefined, {
      lender: lender.endpoint,
      applicationsPerIdentity: 0,
    });
    const merchant = await service.createMerchant();
    const today = dateIn(service.clock.now(), 'UTC');

    const purchase = async (seed: number) => {
      const { program, priceCents, plan } = randomLoan(seed, today);
      tierId = plan.tierId;
      await importProgram(service.database, program, [merchant.merchantId], { asDefault: false }, service.clock.now());
      const language = LANGUAGES[seed % LANGUAGES.length]!;
      const cart = await createCart(merchant, {
        items: [{ ...chair, price: priceCents }],
        financingProgramId: program.id,
      });

      const plans = await reachDecision(`${cart.url}?lang=${language}`);
      const next = await submit(plans, { offerId: plan.offerId });
      // A down payment is paid by card before the agreement.
      const agreement = next.step === 'card' ? await submit(next) : next;
      const completed = await open(sessionUrl(await submit(agreement)));
      const copyUrl = await copyOf(completed, service.database);
      const copy = await open(copyUrl);
      const [pdf] = await pdfPages(await fetch(`${copyUrl}/agreement.pdf`));
      const { messages } = (await merchant.get('/sandbox/messages')).body;
      const { amountFinanced } = texts[language].tila;
      const email = messages.find(({ text }: { text: string }) => text.includes(`${amountFinanced}: `)).text as string;
      const loan = lender.requests.at(-1)!.body.disclosure as LoanDisclosure;

      return {
        language,
        lender: totalsOf(loan),
        agreement: totalsInHtml(agreement.text, language),
        document: totalsInHtml(copy.text, language),
        pdf: totalsInPdf(pdf!, language),
        email: totalsInEmail(email, language),
        plans: totalsInPlans(plans.text, plan, language),
      };
    };

    const endsAtMs = Date.now() + budgetMs;
    for (let seed = firstSeed; seed < firstSeed + 6 || Date.now() < endsAtMs; seed++) {
      const { language: _language, lender: expected, ...received } = await purchase(seed);
      for (const [name, totals] of Object.entries(received)) {
        expect({ seed, name, ...totals }).toEqual({ seed, name, ...pick(expected, Object.keys(totals) as (keyof Totals)[]) });
      }
    }
  },
  campaignTimeoutMs,
);

/** Returns a random program that can be imported, a price and one of the plans for it. */
function randomLoan(seed: number, today: CivilDate): { program: Program; priceCents: number; plan: Plan } {
  const random = seededRandom(seed);
  for (;;) {
    const program = { ...randomProgram(random), id: `random-${seed}` };
    const priceCents = random.magnitude(5_000, 3_000_000);
    const plans = plansFor(rateSheet(program, 'IL'), priceCents, today);
    const plan = plans[random.integer(0, plans.length - 1)];
    if (plan && checkProgram(program).program) return { program, priceCents, plan };
  }
}

function totalsOf(disclosure: LoanDisclosure): Totals {
  const money = (cents: number) => formatMoney(cents, disclosure.currency);
  return {
    apr: formatApr(disclosure.apr),
    amountFinanced: money(disclosure.amountFinancedCents),
    financeCharge: money(disclosure.financeChargeCents),
    totalOfPayments: money(disclosure.totalOfPaymentsCents),
    downPayment: disclosure.downPaymentCents > 0 ? money(disclosure.downPaymentCents) : undefined,
    payments: disclosure.paymentRows.map(({ count, paymentCents }) => `${count} × ${money(paymentCents)}`),
  };
}

/** Returns the totals in the agreement, on the page or in the document. */
function totalsInHtml(page: string, language: Language): Totals {
  const { tila, loan } = texts[language];
  const [disclosure = ''] = /<section class="tila".*?<\/section>/s.exec(page) ?? [];
  const [, less] = new RegExp(`<dt>${escaped(loan.lessDownPayment)}</dt>\\s*<dd>−([^<]*)<`).exec(page) ?? [];
  const value = (label: string) => new RegExp(`<dt>${escaped(label)}</dt>\\s*<dd>\\s*<strong>([^<]*)<`).exec(disclosure)?.[1];
  const cells = [...disclosure.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell]) => cell!.trim());
  return {
    apr: value(tila.apr)!,
    financeCharge: value(tila.financeCharge)!,
    amountFinanced: value(tila.amountFinanced)!,
    totalOfPayments: value(tila.totalOfPayments)!,
    downPayment: less,
    payments: cells.flatMap((count, index) => (index % 3 === 0 ? [`${count} × ${cells[index + 1]}`] : [])),
  };
}

/** Returns the text of each page of a PDF, one line per text. */
async function pdfPages(response: Response): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(await response.arrayBuffer()) }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.flatMap((item) => ('str' in item && item.str.trim() ? [item.str.trim()] : [])).join('\n'));
  }
  await document.destroy();
  return pages;
}

/** Returns the totals in the disclosures of the PDF: the labels of the figures, and then the figures. */
function totalsInPdf(page: string, language: Language): Partial<Totals> {
  const { tila } = texts[language];
  const [, figures = '', schedule = ''] = page.split(new RegExp(`^(?:${escaped(tila.heading)}|${escaped(tila.schedule)})$`, 'm'));
  const [apr, financeCharge, amountFinanced, totalOfPayments] = figures.match(/^(?:\$[\d,.]+|[\d.]+\s?%)$/gm) ?? [];
  return {
    apr: apr!,
    financeCharge: financeCharge!,
    amountFinanced: amountFinanced!,
    totalOfPayments: totalOfPayments!,
    payments: [...schedule.matchAll(/^(\d+)\n(\$[\d,.]+)$/gm)].map(([, count, amount]) => `${count} × ${amount}`),
  };
}

function totalsInEmail(text: string, language: Language): Totals {
  const { tila, agreementEmail } = texts[language];
  const value = (label: string) => new RegExp(`^${escaped(label)}: (.*)$`, 'm').exec(text)?.[1];
  const payments = value(agreementEmail.payments) ?? '';
  return {
    apr: value(tila.apr)!,
    amountFinanced: value(tila.amountFinanced)!,
    payments: [...payments.matchAll(/(\d+) [^\d$]*(\$[\d,.]*\d)/g)].map(([, count, amount]) => `${count} × ${amount}`),
  };
}

function totalsInPlans(page: string, { offerId }: Plan, language: Language): Partial<Totals> {
  const { plans, tila } = texts[language];
  const choice = [...page.matchAll(/<label class="plan".*?<\/label>/gs)].find(([text]) =>
    text.includes(`value="${offerId}"`),
  )![0];
  const value = (label: string) => new RegExp(`<span>${escaped(label)} <strong>([^<]*)<`).exec(choice)?.[1];
  return {
    apr: value(plans.apr)!,
    financeCharge: value(tila.financeCharge)!,
    totalOfPayments: value(tila.totalOfPayments)!,
  };
}

/** Escapes a label for a regular expression. */
const escaped = (label: string) => label.replace(/[()]/g, '\\$&');

function pick(totals: Totals, names: readonly (keyof Totals)[]): Partial<Totals> {
  return Object.fromEntries(names.map((name) => [name, totals[name]]));
}
