import { type Language, LANGUAGES } from '../../../shared/languages/index.ts';
import { isObject } from '../../../shared/objects.ts';
import { Program } from '../../../shared/programs/program.ts';
import type { JsonSchema } from '../../../shared/wire/annotations.ts';
import { SchemaWriter } from './schema-of.ts';

const languageName = (language: Language): string => new Intl.DisplayNames('en', { type: 'language' }).of(language)!;

const agreementTexts = (path: string) => ({
  [`${path}.version`]: 'Version of the text, which the agreement states.',
  ...Object.assign({}, ...LANGUAGES.map((language) => agreementText(`${path}.${language}`, languageName(language)))),
});

/** Descriptions of a text in each language. */
const translations = (path: string): Record<string, string> =>
  Object.fromEntries(LANGUAGES.map((language) => [`${path}.${language}`, `Text in ${languageName(language)}.`]));

const agreementText = (path: string, language: string) => ({
  [path]: `Text in ${language}.`,
  [`${path}.promise`]: 'Paragraphs of the promise to pay.',
  [`${path}.sections`]: 'The terms.',
  [`${path}.sections.*.heading`]: 'Heading of the section.',
  [`${path}.sections.*.topic`]: 'Subject, by which live mode finds the sections that it requires.',
  [`${path}.sections.*.paragraphs`]: 'Paragraphs, with placeholders such as `{apr}`.',
  [`${path}.sections.*.items`]: 'List after the paragraphs.',
});

const lateCharge = (path: string) => ({
  [`${path}.flatCents`]: 'Fixed amount.',
  [`${path}.percentBps`]: 'Share of the late payment in basis points.',
  [`${path}.graceDays`]: 'Days after the due date on which a payment is not yet late.',
  [`${path}.combine`]: 'The charge: the sum, the lesser or the greater of the fixed amount and the share.',
});

/** Description of each field of a program, by path. `*` is any entry of a list or of a map. */
export const programFieldDescriptions: Readonly<Record<string, string>> = {
  id: 'Identifier, which merchants send as `financingProgramId`.',
  name: 'Name for operators.',
  version: 'A version never changes. An accepted application continues with the version under which it was approved.',
  status: 'A retired program is not sold.',
  effective: 'The days on which loans are made under this version.',
  'effective.from': 'First day.',
  'effective.to': 'Last day; null: no end.',
  timeZone: 'IANA name of the time zone of all dates: of versions, promotions, agreements, payments and notices.',
  currency: 'ISO 4217 code.',
  lender: 'The creditor, as buyers see it.',
  'lender.name': 'Legal name: 12 CFR 1026.18(a).',
  'lender.model': 'A bank that lends through this service, or a lender with licenses of the states.',
  'lender.licenses': 'Licenses by state.',
  'lender.licenses.*.type': 'For example `California Financing Law license`.',
  'lender.licenses.*.number': 'Number of the license.',
  'lender.licenses.*.regulator': 'The authority that takes complaints of residents of the state.',
  'lender.licenses.*.regulator.name': 'Name of the agency.',
  'lender.licenses.*.regulator.phone': 'Telephone number of the agency.',
  'lender.licenses.*.regulator.website': 'Website of the agency.',
  'lender.nmlsId': 'Number in the Nationwide Multistate Licensing System.',
  'lender.website': 'Website of the lender.',
  'lender.address': 'Postal address, which an adverse action notice must state: 12 CFR 1002.9(a)(2).',
  'lender.phone': 'Telephone number for buyers.',
  'lender.logo': 'Picture at the top of the checkout pages: a `data:` URL of a PNG or SVG in base64, at most 32 KiB.',
  'lender.regulator': "Federal agency that supervises the lender's compliance with ECOA: 12 CFR 1002, Appendix A.",
  'lender.regulator.name': 'Name of the agency.',
  'lender.regulator.address': 'Address of the agency.',
  'lender.creditBureau': 'Consumer reporting agency whose reports the lender uses: 15 USC 1681m(a)(3).',
  'lender.creditBureau.name': 'Name of the agency.',
  'lender.creditBureau.address': 'Address of the agency.',
  'lender.creditBureau.phone': 'Telephone number of the agency; toll-free if it operates nationwide.',
  'lender.creditBureau.website': 'Website of the agency.',
  'lender.privacyNotice': "The lender's privacy notice: 12 CFR 1016.4(a)(1).",
  'lender.privacyNotice.url': 'Address of the document.',
  'lender.privacyNotice.sha256': 'SHA-256 of the document, hexadecimal.',
  servicing: 'The company to which buyers pay: 12 USC 5531.',
  'servicing.name': 'Name of the servicer. Default: the lender.',
  'servicing.payUrl': 'Website for payments.',
  'servicing.address': 'Postal address for payments.',
  'servicing.phone': 'Telephone number for questions about payments.',
  inquiry: "The lender's credit inquiries, which the consents state. A hard inquiry can lower a credit score.",
  'inquiry.application': 'Inquiry when the buyer applies.',
  'inquiry.acceptance': 'Further inquiry when the buyer accepts a plan.',
  application: 'Options of the credit application.',
  'application.taxId': 'The last four digits of the SSN or ITIN, or the whole number, which only the lender receives.',
  creditScores:
    'Whether the lender uses credit scores. If it does, its decisions contain them, or are denials that state that none was used: 15 USC 1681m(a)(2), 12 CFR 1022.74.',
  undecided: 'How an application ends that the lender does not decide: 12 CFR 1002.9(a)(1)(i).',
  'undecided.days': 'Days after the request on which the application is denied.',
  'undecided.reason': "Reason of the denial: a code of model form C-1, or the lender's own words.",
  'undecided.reason.text': 'Reason by language.',
  ...translations('undecided.reason.text'),
  incompleteDays: 'Days in which the buyer can complete an incomplete application: 12 CFR 1002.9(c)(2).',
  merchantDiscount: 'What the merchant pays to the lender for each loan. Never shown to buyers.',
  'merchantDiscount.bps': 'Share of the amount that the lender pays to the merchant, in basis points: 350 is 3.5 %.',
  'merchantDiscount.fixedCents': 'Fixed fee of the loan, added to that share.',
  'lender.decisionTime': 'The duration of most decisions. The waiting page states it.',
  ...translations('lender.decisionTime'),
  'lender.complaints': 'The contact for complaints about the lender.',
  'lender.complaints.phone': 'Telephone number for complaints.',
  'lender.complaints.email': 'E-mail address for complaints.',
  'lender.complaints.url': 'Web page for complaints.',
  'lender.complaints.address': 'Postal address for complaints.',
  signature: 'Options of the signature.',
  'signature.code': 'Channel of the one-time code that the buyer enters to sign, or `none`.',
  creditType: 'Type of the credit.',
  disclosureRegime: 'The rules that disclosures follow: Regulation Z, closed-end credit.',
  amount: 'Purchase amounts that can be financed.',
  'amount.minCents': 'Lowest amount, in the minor unit of the currency.',
  'amount.maxCents': 'Highest amount, in the minor unit of the currency.',
  'amount.basis': 'The amount that the limits apply to.',
  'amount.mayHaveGaps': 'True if amounts without an offer are allowed between the limits.',
  downPayment: 'Due on the day of the loan: the larger of the two, rounded up to a whole minor unit.',
  'downPayment.percentBps': 'Share of the purchase in basis points: 1000 is 10 %.',
  'downPayment.minCents': 'Lowest down payment.',
  rounding: 'Rounding of the schedule.',
  'rounding.payment': 'Rounding of the level payment.',
  'rounding.interest': 'Rounding of the interest of each payment.',
  'rounding.lastPayment': 'The last payment absorbs the rounding differences.',
  schedule: 'Due dates of the payments, and the accrual of interest.',
  'schedule.interval': 'Time between payments.',
  'schedule.accrual': 'Day count: equal months bear equal interest.',
  'schedule.firstPaymentAfter': 'Time until the first payment is due: odd days after the loan, then whole months.',
  'schedule.firstPaymentAfter.months': 'Whole months.',
  'schedule.firstPaymentAfter.days': 'Odd days.',
  'schedule.oddDaysInterest': 'Interest for the days beyond one month: `none`, or the number of days per year.',
  'schedule.firstPeriodPolicy':
    'Whether a minor irregularity of the first period is disregarded in the APR: 12 CFR 1026.17(c)(4). The only payment of a loan is due after exactly one month.',
  'schedule.interestFrom':
    'Start of interest: `settlement`, the day on which the lender pays the merchant, or `signature`, the day of the agreement.',
  fees: 'Fees of the loan.',
  'fees.*.id': 'Identifier.',
  'fees.*.kind': 'Kind of the fee, which determines its name in disclosures.',
  'fees.*.amountBps': 'Basis points of the purchase minus the down payment.',
  'fees.*.flatCents': 'Fixed amount, added to that share.',
  'fees.*.minCents': 'Lowest fee.',
  'fees.*.maxCents': 'Highest fee; null: no limit.',
  'fees.*.financeCharge': 'True if the fee is part of the finance charge and therefore of the APR: 12 CFR 1026.4.',
  'fees.*.financed': 'True if the fee is added to the principal. Otherwise it is due on the day of the loan.',
  'fees.*.mapr': 'True if the fee counts toward the military APR: 32 CFR 232.4(c).',
  tiers: 'Credit tiers, by credit score.',
  'tiers.*.id': 'Identifier.',
  'tiers.*.label': 'Name for buyers.',
  'tiers.*.creditBand': 'Range of credit scores.',
  'tiers.*.creditBand.min': 'Lowest credit score.',
  'tiers.*.creditBand.max': 'Highest credit score.',
  'tiers.*.advertise': 'True if its rates may be used in "as low as" examples.',
  'tiers.*.representativeShare': 'Share of approved buyers in this tier, 0 to 1: comment 24(d)(2)-5 to 12 CFR 1026.24.',
  offers: 'Terms and their rates.',
  'offers.*.id': 'Identifier.',
  'offers.*.termLength': 'Number of monthly payments.',
  'offers.*.tierAprBps':
    'Annual interest rate of the note by tier, in basis points: 999 is 9.99 %. The term is not sold to other tiers.',
  'offers.*.tierAprBps.*': 'Rate in basis points.',
  'offers.*.minCents': 'Lowest purchase amount; null: that of the program.',
  'offers.*.maxCents': 'Highest purchase amount; null: that of the program.',
  'offers.*.promo': 'Makes it an interest-free promotion; null: a regular offer.',
  'offers.*.promo.kind': 'Kind of the promotion.',
  'offers.*.promo.from': 'First day of the promotion.',
  'offers.*.promo.to': 'Last day of the promotion.',
  'offers.*.promo.merchantDiscountBps':
    'Buy-down: basis points that are added to the merchant discount of agreements that are signed on these days, in the time zone of the program. Never shown to buyers.',
  'offers.*.merchantDiscount':
    'What the merchant pays to the lender for loans of this plan, instead of the discount of the program.',
  'offers.*.merchantDiscount.bps': 'Share of the amount that the lender pays to the merchant, in basis points.',
  'offers.*.merchantDiscount.fixedCents': 'Fixed fee of the loan, added to that share.',
  deferredInterest: 'Deferred interest is not supported.',
  caps: 'Maximum rates, in basis points per year.',
  'caps.maxAprBps': 'Maximum APR.',
  'caps.maprCapBps': 'Maximum military APR for loans to covered borrowers; null: 36 %. 10 USC 987(b).',
  'caps.stateAprCapBps': 'Maximum APR by state.',
  'caps.stateAprCapBps.*': 'Maximum APR in the state.',
  states: 'Rules of states.',
  'states.excluded': 'States whose residents are not offered loans.',
  'states.overrides': 'Different rules by state.',
  'states.overrides.*.minAge': 'Minimum age of a borrower.',
  'states.notices': 'State notices, by state.',
  'states.notices.*': 'Notices for the residents of the state.',
  'states.notices.*.*.at':
    'Place of the notice: with every advertised example, on the application page, in the agreement, or directly above the signature.',
  'states.notices.*.*.text': 'Text by language. Paragraphs are separated by line breaks.',
  ...translations('states.notices.*.*.text'),
  'states.reviews': "Counsel's sign-offs for states.",
  'states.reviews.*.counsel': 'Name of the lawyer.',
  'states.reviews.*.firm': 'Name of the law firm.',
  'states.reviews.*.barNumber': 'Number of the lawyer at the bar of a state.',
  'states.reviews.*.on': 'Day of the sign-off.',
  'states.reviews.*.states': 'The states.',
  documents: 'The agreements that buyers sign.',
  'documents.agreement': "The lender's agreement: 12 CFR 1026.18(p).",
  ...agreementTexts('documents.agreement'),
  'documents.coveredBorrower': 'Agreement for servicemembers and their dependents: 32 CFR 232.8.',
  ...agreementTexts('documents.coveredBorrower'),
  purchaseMoney: 'True if the agreement has the notice of the FTC Holder Rule: 16 CFR 433.2(b).',
  purchaseMoneyReason: 'Reason why the loans are not purchase money loans.',
  counselReasons: "Counsel's reasons for what the import into a live service otherwise rejects. Buyers do not see them.",
  'counselReasons.apr': 'Reason for a maximum APR above 36 %.',
  'counselReasons.lateCharge': 'Reason for late charges above $15 or 5 % of the payment.',
  'counselReasons.coveredBorrower':
    'Reason for a word about arbitration, waivers or class actions in the agreement of covered borrowers.',
  military: 'The Military Lending Act.',
  'military.phone': 'Toll-free telephone number of the oral disclosures: 32 CFR 232.6(d)(2)(ii)(B).',
  late: 'Charge for a late payment: 12 CFR 1026.18(l).',
  ...lateCharge('late'),
  'late.states': 'Late charges that replace it for residents of a state.',
  ...lateCharge('late.states.*'),
  prepayment: 'Terms of prepayment.',
  'prepayment.penalty': 'Buyers may always prepay without penalty.',
  'prepayment.feeRefundDays':
    'Days after the loan is made in which a refund by the merchant also returns its fees, in proportion: 12 CFR 1026.18(k). 0: only covered borrowers receive them.',
};

/**
 * Returns the JSON Schema (2020-12) of a financing program, generated from the struct that validates it.
 *
 * Like the first stage of `checkProgram`, it covers single fields. It does not express rules between fields.
 *
 * @param example - A program, whose values are the examples.
 */
export function programSchema(example: object): JsonSchema {
  const schema = new SchemaWriter(new Map(), { inlineObjects: true }).schemaOf(Program, 'request');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fairterm financing program',
    description: 'The lender, tiers, terms, rates and fees of loans. Validate a file with `fairterm program check`.',
    ...withDescriptions(schema, '', example),
    examples: [example],
  };
}

/** Adds the description and the example of each field. @param example - The value of the example program at `path`. */
function withDescriptions(schema: JsonSchema, path: string, example: unknown): JsonSchema {
  const { properties, items, additionalProperties, anyOf } = schema;
  const values = isObject(example) ? example : {};
  const describe = (field: JsonSchema, name: string, value: unknown): JsonSchema => {
    const at = path === '' ? name : `${path}.${name}`;
    const description = programFieldDescriptions[at];
    return { ...withDescriptions(field, at, value), ...(description !== undefined && { description }) };
  };
  const entry = Object.values(values)[0];
  const hasExample = example !== undefined && example !== null && typeof example !== 'object' && !('const' in schema);
  return {
    ...schema,
    ...(hasExample && { examples: [example] }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, field && describe(field, name, values[name])]),
      ),
    }),
    ...(items && { items: describe(items, '*', entry) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: describe(additionalProperties, '*', entry) }),
    ...(anyOf && { anyOf: anyOf.map((alternative) => withDescriptions(alternative, path, example)) }),
  };
}
