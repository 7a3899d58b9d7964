import { describe, expect, it } from 'vitest';
import { adverseActionOf, noticeBlocks } from '../../../../server/checkout/decision/adverse-action.ts';
import { blocksText } from '../../../../server/messages/buyer-email.ts';
import { texts } from '../../../../server/base/texts.ts';
import type { Offer } from '../../../../shared/wire/application.ts';
import {
  type ScoreResult,
  DENIAL_CODES,
  type DenialCode,
  type DenialReason,
} from '../../../../server/lending/applications/decision.ts';
import { bureau, creditScore, knownLender, unknownLender } from '../../../support/lenders.ts';

const noticeOf = (reasons: readonly DenialReason[], lender = knownLender, score: ScoreResult | null = null) =>
  adverseActionOf(lender, 'Acme Goods', reasons, '2026-11-21', { score });
const noticeText = (language: 'en' | 'es', ...given: Parameters<typeof noticeOf>) =>
  blocksText(noticeBlocks(noticeOf(...given), texts[language]));

/** Expected text of each reason, written out so that a change of the wording fails a test. */
const englishReasons: Record<Exclude<DenialCode, 'other'>, string> = {
  income: 'Income insufficient for amount of credit requested.',
  debt: 'Excessive obligations in relation to income.',
  identity: 'Unable to verify your identity with the information you provided.',
  'no-file': 'No credit file.',
  'insufficient-file': 'Limited credit experience.',
  'incomplete-application': 'Credit application incomplete.',
  'insufficient-references': 'Insufficient number of credit references provided.',
  'unacceptable-references': 'Unacceptable type of credit references provided.',
  'unverified-references': 'Unable to verify credit references.',
  'irregular-employment': 'Temporary or irregular employment.',
  'unverified-employment': 'Unable to verify employment.',
  'length-of-employment': 'Length of employment.',
  'unverified-income': 'Unable to verify income.',
  'length-of-residence': 'Length of residence.',
  'temporary-residence': 'Temporary residence.',
  'unverified-residence': 'Unable to verify residence.',
  'performance-with-us': 'Poor credit performance with the lender.',
  delinquency: 'Delinquent past or present credit obligations with others.',
  'collection-or-judgment': 'Collection action or judgment.',
  garnishment: 'Garnishment or attachment.',
  foreclosure: 'Foreclosure or repossession.',
  bankruptcy: 'Bankruptcy.',
  'recent-inquiries': 'Number of recent inquiries on credit bureau report.',
  collateral: 'Value or type of collateral not sufficient.',
  limit: 'The amount of credit that you qualify for is less than this order requires.',
  tier: 'For this amount, no plan is offered in your state in the credit tier for which you qualify.',
  'military-rate-cap':
    'Federal law limits the military annual percentage rate of loans to servicemembers and their dependents to 36% (10 USC 987), and no plan for this amount is within this limit.',
};
const spanishReasons: typeof englishReasons = {
  income: 'Ingresos insuficientes para el importe de crédito solicitado.',
  debt: 'Obligaciones excesivas en relación con los ingresos.',
  identity: 'No se pudo verificar su identidad con los datos que usted proporcionó.',
  'no-file': 'No existe un expediente de crédito.',
  'insufficient-file': 'Experiencia crediticia limitada.',
  'incomplete-application': 'Solicitud de crédito incompleta.',
  'insufficient-references': 'Número insuficiente de referencias de crédito.',
  'unacceptable-references': 'Tipo de referencias de crédito no aceptable.',
  'unverified-references': 'No se pudieron verificar las referencias de crédito.',
  'irregular-employment': 'Empleo temporal o irregular.',
  'unverified-employment': 'No se pudo verificar el empleo.',
  'length-of-employment': 'Antigüedad en el empleo.',
  'unverified-income': 'No se pudieron verificar los ingresos.',
  'length-of-residence': 'Tiempo de residencia en el domicilio.',
  'temporary-residence': 'Residencia temporal.',
  'unverified-residence': 'No se pudo verificar el domicilio.',
  'performance-with-us': 'Mal historial de pagos con el prestamista.',
  delinquency: 'Obligaciones de crédito con otros acreedores en mora, actuales o pasadas.',
  'collection-or-judgment': 'Acción de cobro o sentencia judicial.',
  garnishment: 'Embargo de salario o de bienes.',
  foreclosure: 'Ejecución hipotecaria o recuperación de bienes.',
  bankruptcy: 'Bancarrota.',
  'recent-inquiries': 'Número de consultas recientes en su informe de crédito.',
  collateral: 'Valor o tipo de garantía insuficiente.',
  limit: 'El importe de crédito para el que usted reúne los requisitos es menor que el que requiere este pedido.',
  tier: 'Por este importe, en su estado no se ofrece ningún plan en el nivel de crédito para el que usted califica.',
  'military-rate-cap':
    'La ley federal limita al 36% la tasa de porcentaje anual militar de los préstamos a militares y sus dependientes (10 USC 987), y ningún plan por este importe respeta ese límite.',
};
const specificReasons = Object.keys(englishReasons) as (keyof typeof englishReasons)[];

describe('The text of an adverse action notice', () => {
  it.each(specificReasons)('states only the reason %s, in English and in Spanish', (reason) => {
    for (const [language, words] of [
      ['en', englishReasons],
      ['es', spanishReasons],
    ] as const) {
      const notice = noticeText(language, [reason]);
      expect(notice).toContain(`- ${words[reason]}`);
      for (const other of specificReasons) if (other !== reason) expect(notice).not.toContain(words[other]);
    }
  });

  it('contains everything that the law requires in English', () => {
    expect(noticeText('en', ['delinquency', 'other']))
      .toBe(`On November 21, 2026, Example Bank denied your application for credit at Acme Goods.

Principal reasons for this decision
- ${englishReasons.delinquency}

Your right to a statement of reasons
You have the right to a statement of the specific reasons for this decision. To obtain it, contact Example Bank, 1 Example Plaza, Wilmington, DE 19801, 1-800-555-0100, within 60 days of November 21, 2026. Example Bank must send it to you in writing within 30 days of your request.

Your credit report
The decision was based in whole or in part on information obtained in a report from Example Credit Reports, the consumer reporting agency listed below. You have a right under the Fair Credit Reporting Act to know the information contained in your credit file at the consumer reporting agency. The reporting agency did not make the decision and is unable to supply specific reasons for it. You also have a right to a free copy of your report from the reporting agency, if you request it no later than 60 days after you receive this notice. In addition, if you find that any information contained in the report you receive is inaccurate or incomplete, you have the right to dispute the matter with the reporting agency.

Example Credit Reports, P.O. Box 1000, Springfield, IL 62701, 1-800-555-0101, https://credit-reports.example

Equal credit opportunity
The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act.

The Federal agency that administers compliance with this law concerning this creditor is Example Bank Regulator, 1 Agency Square, Washington, DC 20001.

The creditor
Example Bank, 1 Example Plaza, Wilmington, DE 19801, 1-800-555-0100

You may ask Example Bank for another copy of this notice.`);
  });

  it('contains everything that the law requires in Spanish, and mentions the English version', () => {
    const notice = noticeText('es', ['debt']);
    for (const part of [
      'El 21 de noviembre de 2026, Example Bank rechazó su solicitud de crédito',
      spanishReasons.debt,
      'copia gratuita de su informe',
      'a más tardar 60 días después de recibir este aviso',
      'disputarla ante la agencia',
      'Igualdad de Oportunidades de Crédito',
      'La agencia federal que supervisa el cumplimiento de esta ley por parte de este acreedor es Example Bank Regulator',
      '1 Example Plaza, Wilmington, DE 19801',
      'Puede pedir a Example Bank otra copia de este aviso, en inglés.',
    ]) {
      expect(notice).toContain(part);
    }
  });

  it.each([
    ['en', 'If Example Bank obtained information from a consumer reporting agency', 'was based in whole or in part'],
    ['es', 'Si Example Bank obtuvo información de una agencia de informes del consumidor', 'se basó, en todo o en parte'],
  ] as const)(
    'does not state that a report was used if the lender has stated neither reasons nor sources: %s',
    (language, possible, certain) => {
      const address = 'Example Credit Reports, P.O. Box 1000, Springfield, IL 62701, 1-800-555-0101';
      for (const reasons of [[], ['other']] satisfies DenialReason[][]) {
        const notice = noticeText(language, reasons);
        expect(notice).toContain(possible);
        expect(notice).toContain(address);
        expect(notice).not.toContain(certain);
        expect(noticeText(language, reasons, knownLender, creditScore)).toContain(certain);
      }
      expect(noticeText(language, ['delinquency'])).not.toContain(possible);
    },
  );

  it('states that the lender will send the disclosures that its profile lacks', () => {
    const notice = noticeText('en', ['delinquency'], unknownLender);
    expect(notice).toContain(
      'Example Bank must send you a written notice of this decision within 30 days. It will also state its address, which Federal agency supervises it, and which agency’s credit report it used.',
    );
    expect(notice).not.toMatch(/undefined|null|\{|Federal agency that administers/);
  });

  it.each(['en', 'es'] as const)('fills every placeholder for every lender and reason: %s', (language) => {
    for (const lender of [knownLender, unknownLender]) {
      for (const reasons of [...DENIAL_CODES.map((reason) => [reason]), [], DENIAL_CODES.slice(-4)]) {
        expect(noticeText(language, reasons, lender)).not.toMatch(/undefined|null|NaN|[{}]|, $|^, /m);
      }
    }
  });

  it('states a reason in the words of the lender, in the language of the buyer', () => {
    const reason = { text: { en: 'Your account with us is past due.', es: 'Su cuenta con nosotros está vencida.' } };
    expect(noticeText('en', [reason])).toContain('- Your account with us is past due.');
    expect(noticeText('es', [reason])).toContain('- Su cuenta con nosotros está vencida.');
  });

  it('states the score that was used, its date, range, key factors and source', () => {
    expect(noticeText('en', ['delinquency'], knownLender, creditScore)).toContain(`Your credit score
Example Bank also obtained your credit score from this consumer reporting agency and used it in making the credit decision. Your credit score is a number that reflects the information in your credit report. Your credit score can change, depending on how the information in your credit report changes.

Your credit score: 521
Date: November 20, 2026
Range of scores: from a low of 300 to a high of 850

Key factors that adversely affected your credit score
- Balances are too high
- Number of recent inquiries

If you have any questions regarding your credit score, you should contact Score Bureau, 9 Score Street, Austin, TX 78701, 1-800-555-0199.`);
    expect(noticeText('es', ['delinquency'], knownLender, creditScore)).toContain('Rango de puntajes: desde un mínimo de 300');
  });

  it('names every bureau whose report was used, the one with the score, and other sources', () => {
    const sources = { reports: [bureau, creditScore.bureau], outside: true, affiliate: true };
    const notice = adverseActionOf(knownLender, 'Acme Goods', ['debt'], '2026-11-21', { sources, score: creditScore });
    const english = blocksText(noticeBlocks(notice, texts.en));
    for (const part of [
      'in reports from Example Credit Reports and Score Bureau, the consumer reporting agencies listed below.',
      '\n\nExample Credit Reports, P.O. Box 1000, Springfield, IL 62701, 1-800-555-0101, https://credit-reports.example\n\nScore Bureau, 9 Score Street',
      'Example Bank also obtained your credit score from Score Bureau and used it',
      'based in whole or in part on information obtained from an affiliate of the lender and from an outside source other than a consumer reporting agency. Under the Fair Credit Reporting Act, you have the right to make a written request to Example Bank, no later than 60 days after you receive this notice, for disclosure of the nature of this information.',
    ]) {
      expect(english).toContain(part);
    }
    const spanish = blocksText(noticeBlocks(notice, texts.es));
    expect(spanish).toContain('informes de Example Credit Reports y Score Bureau, las agencias');
    expect(spanish).toContain('usted tiene derecho a pedir por escrito a Example Bank');
    const ownInformation = { reports: [], outside: false, affiliate: false };
    const own = adverseActionOf(knownLender, 'Acme Goods', ['debt'], '2026-11-21', { sources: ownInformation });
    expect(blocksText(noticeBlocks(own, texts.en))).not.toMatch(/consumer reporting agency|affiliate/);
  });

  it('names the bureau that the lender used instead of the bureau of the program', () => {
    const notice = noticeText('en', ['delinquency'], knownLender, creditScore);
    expect(notice).toContain('in a report from Score Bureau');
    expect(notice).not.toContain(bureau.name);
    expect(noticeText('en', ['no-file'], unknownLender, { value: null, bureau })).toContain(`in a report from ${bureau.name}`);
  });

  it('mentions a score that was used even if the main reason is the income', () => {
    expect(noticeText('en', ['income'], knownLender, creditScore)).toContain('Your credit score: 521');
    expect(noticeText('en', ['income'])).not.toContain('credit score');
  });

  it('of a smaller offer combines the reasons with the terms and the deadline of the offer', () => {
    const money = (value: number) => ({ currency: 'USD', value });
    const plan = { id: 'a', programID: '', termLength: 24, termInterval: 'Month', apr: 0.0999, monthly: money(2_077) } as Offer;
    const action = {
      kind: 'counteroffer',
      requestedCents: 75_000,
      offered: { financedCents: 45_000, cardCents: 30_000, downPaymentCents: 0 },
      currency: 'USD',
      plans: [plan, { ...plan, termLength: 1, monthly: money(45_300) }],
      until: '2026-11-27',
    } as const;
    const notice = adverseActionOf(knownLender, 'Acme Goods', ['income'], '2026-11-21', { action });
    expect(blocksText(noticeBlocks(notice, texts.en)))
      .toContain(`On November 21, 2026, Example Bank was unable to offer you the credit of $750.00 that you applied for at Acme Goods.

Principal reasons for this decision
- ${englishReasons.income}

What Example Bank offers instead
Example Bank can, however, offer you credit of $450.00 on any of the following terms:

- 24 monthly payments of $20.77, 9.99% APR
- 1 monthly payment of $453.00, 9.99% APR

You pay the remaining $300.00 by card.

If this offer is acceptable to you, choose a plan and sign the agreement by November 27, 2026.

Equal credit opportunity`);
    expect(blocksText(noticeBlocks(notice, texts.es))).toContain('24 pagos mensuales de $20.77, 9.99% APR');
  });

  it('of a signed loan that was not made states that the agreement has no effect', () => {
    const action = { kind: 'withdrawn', signedOn: '2026-11-21' } as const;
    const notice = blocksText(
      noticeBlocks(adverseActionOf(knownLender, 'Acme Goods', ['other'], '2026-11-22', { action }), texts.en),
    );
    expect(notice).toMatch(
      /^On November 21, 2026, you signed an agreement with Example Bank .* On November 22, 2026, Example Bank decided not/,
    );
    expect(notice).toContain('you owe nothing under it');
  });
});
