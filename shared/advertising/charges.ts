import type { Draft } from './drafts.ts';
import type { Finding } from './finding.ts';
import type { ReadExample } from './follows.ts';
import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';
import { isDenied } from './negation.ts';
import type { Rates } from './rates.ts';

const NO_FINANCE_CHARGE = /\b(?:no|without(?: any)?|zero) finance charges?\b|\b(?:no hay|sin|ningun) cargos? financieros?\b/g;

/** Where a text says that there is no finance charge of an example that has one: the one before, or the first. */
export function deniedCharges(masked: MaskedText, drafts: readonly Draft[], examples: readonly ReadExample[]): Finding[] {
  return [...masked.text.matchAll(NO_FINANCE_CHARGE)].flatMap(({ index, 0: said }): Finding[] => {
    const at = Math.max(
      0,
      drafts.findLastIndex(({ start }) => start <= index),
    );
    const example = examples[at];
    const cents = example?.follows?.financeChargeCents ?? 0;
    if (!example || cents <= example.paymentWithinCents * (example.count ?? 0)) return [];
    const excerpt = masked.excerpt(index, index + said.length);
    return [{ rule: 'finance-charge-denied', message: `"${excerpt}" is said of an example that has one.`, excerpt }];
  });
}

/** A fee by its name alone. A charge needs more of one: "we charge no interest" names none. */
const FEE =
  /\b(?:fees?|(?:an?|other|additional|extra|service|processing|handling|administrative|administration|origination|application|transaction|account|monthly|annual) charges?(?! (?:cards?|accounts?)\b)|charges? (?:may |will )?appl(?:y|ies)|comision(?:es)?(?! por (?:mora|atraso|pago|demora|retraso|devolucion|cheque))|cargos? (?:por|de) (?:apertura|tramite|servicio|solicitud|tramitacion|administracion))\b/g;
const WORD = String.raw`(?!(?:plus|and|but|with|an?|the|your|y|mas|pero|con|una?)\b)[a-z'-]{1,20}`;
/** "No origination", "no annual, application or", "without a", "sin intereses ni": what is before a fee that there is none of. */
const NO_FEE = new RegExp(
  String.raw`\b(?:(?:no|zero|without|never|sin|ningun|ninguna|ni)(?:[ -]${WORD}){0,2}|(?:no|zero|without|sin)(?: ${WORD},?){1,4} (?:or|ni|o)(?: ${WORD}){0,2}|(?:without|never|not|[a-z]{2,6}n't)(?: (?:charge|have|pay))? (?:an?|any)(?: ${WORD})?|free of|libre de)[ -]$`,
);
const CONTINGENT =
  /\b(?:late|returned|return|missed|nsf|overdraft|dishonou?red|cancellation|convenience)(?: payments?| checks?)? $/;

/** Whether a fee is named without its amount. */
function namesFee({ text }: MaskedText, mentions: readonly Mention[]): boolean {
  // Kept by place, because a long text may name many.
  const priced = new Set(
    mentions.flatMap(({ role, start, end }) =>
      role === 'fee' || role === 'contingent' ? Array.from({ length: end - start }, (_, at) => start + at) : [],
    ),
  );
  return [...text.matchAll(FEE)].some(({ index, 0: said }) => {
    if (priced.has(index + said.length - 1) || isDenied(text, index)) return false;
    const before = text.slice(Math.max(0, index - 96), index);
    return !NO_FEE.test(before) && !CONTINGENT.test(before);
  });
}

/** Whether a text names a fee, a finance charge, an example with a rate above 0, or rates none of which is 0. */
export function hasCharge(
  masked: MaskedText,
  examples: readonly ReadExample[],
  mentions: readonly Mention[],
  { lowest }: Rates,
): boolean {
  return (
    (lowest > 0 && Number.isFinite(lowest)) ||
    examples.some(({ aprPercent = 0, follows }) => aprPercent > 0 || (follows?.financeChargeCents ?? 0) > 0) ||
    mentions.some(
      ({ role, money, percent }) =>
        (role === 'fee' || role === 'financeCharge' || role === 'interest') &&
        ((money?.cents ?? 0) > 0 || (percent?.value ?? 0) > 0),
    ) ||
    namesFee(masked, mentions)
  );
}
