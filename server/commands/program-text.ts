import { formatApr } from '../../shared/languages/texts.ts';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { formatMoney } from '../../shared/money.ts';
import type { Fee, License, Program, ProgramOffer } from '../../shared/programs/program.ts';
import { excludedStates } from '../../shared/programs/states.ts';
import { type Column, tableLines, wrapText } from './table.ts';

/** Formats a program for operators. */
export function programLines(program: Program): string[] {
  const { id, name, version, status, effective } = program;
  const days = `${effective.from} to ${effective.to ?? 'no end'}`;
  return [
    `${name} (${id}), version ${version}, ${status === 'active' ? `sold from ${days}` : `retired, from ${days}`}`,
    ...factLines(program),
    '',
    ...tierLines(program),
    '',
    ...offerLines(program),
    ...feeLines(program),
    ...stateLines(program),
  ];
}

function factLines(program: Program): string[] {
  const { lender, amount, downPayment, creditType, currency, late, rounding, caps } = program;
  const { firstPaymentAfter, oddDaysInterest, firstPeriodPolicy } = program.schedule;
  const money = moneyIn(program);
  const cap = caps.maprCapBps === null ? 'no military cap' : `military APR at most ${percent(caps.maprCapBps)}`;
  const oddDays = firstPaymentAfter.days === 0 ? '' : `, ${firstPaymentAfter.days} days`;
  const facts: [string, string][] = [
    ['Lender', [lender.name, lender.model, lender.nmlsId && `NMLS ID ${lender.nmlsId}`].filter(Boolean).join(', ')],
    ...contactFacts(lender),
    ...servicingFacts(program),
    ['Credit', `${creditType}, ${currency}`],
    ...agreementFacts(program),
    ['Purchases', `${money(amount.minCents)} to ${money(amount.maxCents)}`],
    ['Down payment', shareAndSum(downPayment.percentBps, downPayment.minCents, money, 'at least')],
    ['Payments', `monthly, rounded ${rounding.payment}, the first after ${months(firstPaymentAfter.months)}${oddDays}`],
    ...(oddDays === '' && firstPaymentAfter.months === 1
      ? []
      : [['First period', `odd days: ${oddDaysInterest}, counted: ${firstPeriodPolicy}`] as [string, string]]),
    ['Caps', `APR at most ${percent(caps.maxAprBps)}, ${cap}`],
    ['Late payment', lateChargeText(late, money)],
  ];
  return facts.map(([what, fact]) => `${`${what}:`.padEnd(14)} ${fact}`);
}

function servicingFacts({ servicing }: Program): [string, string][] {
  if (!servicing) return [];
  const { name, payUrl, address, phone } = servicing;
  return [['Payments to', [name, payUrl, address, phone].filter(Boolean).join(', ')]];
}

/** Returns the versions of the lender's agreements, if the program has them. */
function agreementFacts({ documents: { agreement, coveredBorrower } }: Program): [string, string][] {
  if (!agreement || !coveredBorrower) return [];
  return [['Agreement', `${agreement.version}; for covered borrowers: ${coveredBorrower.version}`]];
}

/** Describes a late charge: `the lesser of $15.00 and 5.00% of the payment, after 10 days`. */
export function lateChargeText(
  { flatCents, percentBps, graceDays, combine }: LoanDisclosure['late'],
  money: (cents: number) => string,
): string {
  const parts = [
    ...(flatCents > 0 ? [money(flatCents)] : []),
    ...(percentBps > 0 ? [`${percent(percentBps)} of the payment`] : []),
  ];
  if (parts.length === 0) return 'no charge';
  const days = graceDays > 0 ? `, after ${graceDays} ${graceDays === 1 ? 'day' : 'days'}` : '';
  return `${combine === 'sum' ? '' : `the ${combine} of `}${parts.join(' and ')}${days}`;
}

/** Returns the contacts that an adverse action notice names, if the program has them. */
function contactFacts({ address, phone, regulator, creditBureau }: Program['lender']): [string, string][] {
  const facts = {
    Address: [address, phone],
    Regulator: [regulator?.name, regulator?.address],
    'Credit bureau': [creditBureau?.name, creditBureau?.address, creditBureau?.phone, creditBureau?.website],
  };
  return Object.entries(facts)
    .map(([what, parts]): [string, string] => [what, parts.filter(Boolean).join(', ')])
    .filter(([, fact]) => fact !== '');
}

/** Formats a license: `CFL license 60DBO-00000, regulated by An agency, 800-555-0100`. */
export function licenseText({ type, number, regulator }: License): string {
  const line = [type, number].filter(Boolean).join(' ');
  const contact = regulator && [regulator.name, regulator.phone, regulator.website].filter(Boolean).join(', ');
  return contact ? `${line}, regulated by ${contact}` : line;
}

function tierLines({ tiers }: Program): string[] {
  return tableLines(tiers, [
    ['TIER', ({ id }) => id],
    ['CREDIT SCORES', ({ creditBand }) => `${creditBand.min} to ${creditBand.max}`],
    ['ADVERTISED', ({ advertise }) => (advertise ? 'yes' : 'no')],
    ['SHARE', ({ representativeShare: share }) => (share === undefined ? '' : `${Math.round(100 * share)}%`), 'number'],
    ['LABEL', ({ label = '' }) => label],
  ]);
}

/** Formats the rates of each tier. Limits and promotions have columns only if an offer has any. */
function offerLines(program: Program): string[] {
  const { offers, tiers } = program;
  const money = moneyIn(program);
  const rateOf = (id: string): Column<ProgramOffer> => {
    return [id, ({ tierAprBps }) => (tierAprBps[id] === undefined ? '-' : percent(tierAprBps[id])), 'number'];
  };
  const limit = (cents: number | null) => (cents === null ? '-' : money(cents));
  const limits: Column<ProgramOffer>[] = [
    ['FROM', ({ minCents }) => limit(minCents), 'number'],
    ['TO', ({ maxCents }) => limit(maxCents), 'number'],
  ];
  const daysOf = ({ promo }: ProgramOffer) =>
    promo ? `${promo.from} to ${promo.to}, merchant pays ${percent(promo.merchantDiscountBps)}` : '';
  const promotion: Column<ProgramOffer> = ['PROMOTION', daysOf];
  return tableLines(offers, [
    ['OFFER', ({ id }) => id],
    ['MONTHS', ({ termLength }) => `${termLength}`, 'number'],
    ...tiers.map(({ id }) => rateOf(id)),
    ...(offers.some(({ minCents, maxCents }) => minCents !== null || maxCents !== null) ? limits : []),
    ...(offers.some(({ promo }) => promo) ? [promotion] : []),
  ]);
}

function feeLines(program: Program): string[] {
  const money = moneyIn(program);
  const describe = (fee: Fee) => {
    const { id, kind, minCents, maxCents, amountBps, flatCents } = fee;
    const max = maxCents === null ? '' : `, at most ${money(maxCents)}`;
    const min = minCents === 0 ? '' : `, at least ${money(minCents)}`;
    return `${kind} fee (${id}): ${shareAndSum(amountBps, flatCents, money, 'and')}${min}${max}; financed, in the finance charge`;
  };
  return program.fees.length === 0 ? [] : ['', ...program.fees.flatMap((fee) => wrapText(describe(fee)))];
}

function stateLines(program: Program): string[] {
  const { states, caps, late } = program;
  const { overrides, notices } = states;
  const excluded = excludedStates(program);
  const stateCaps = Object.entries(caps.stateAprCapBps).map(([state, capBps]) => `${state} ${percent(capBps)}`);
  const lateCharges = Object.entries(late.states).map(
    ([state, charge]) => `${state} ${lateChargeText(charge, moneyIn(program))}`,
  );
  const ages = Object.entries(overrides).map(([state, { minAge }]) => `${state} ${minAge}`);
  const lines = [
    ...(excluded.length > 0 ? [`No loans in: ${excluded.join(', ')}`] : []),
    ...(stateCaps.length > 0 ? [`State caps: ${stateCaps.join(', ')}`] : []),
    ...(lateCharges.length > 0 ? [`Late payment: ${lateCharges.join('; ')}`] : []),
    ...(ages.length > 0 ? [`Minimum age: ${ages.join(', ')}`] : []),
    ...Object.entries(program.lender.licenses).map(([state, license]) => `License in ${state}: ${licenseText(license)}`),
    ...Object.entries(notices).flatMap(([state, list]) => list.map(({ at, text }) => `Notice in ${state} (${at}): ${text.en}`)),
  ];
  return lines.length === 0 ? [] : ['', ...lines.flatMap((line) => wrapText(line))];
}

function shareAndSum(shareBps: number, cents: number, money: (cents: number) => string, separator: string): string {
  const parts = [...(shareBps > 0 ? [percent(shareBps)] : []), ...(cents > 0 ? [money(cents)] : [])];
  return parts.length === 0 ? 'none' : parts.join(` ${separator} `);
}

function moneyIn({ currency }: Program): (cents: number) => string {
  return (cents) => formatMoney(cents, currency);
}

function percent(bps: number): string {
  return formatApr(bps / 10_000);
}

function months(count: number): string {
  return count === 1 ? '1 month' : `${count} months`;
}
