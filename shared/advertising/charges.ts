import type { Draft } from './drafts.ts';
import type { Finding } from './finding.ts';
import type { ReadExample } from './follows.ts';
import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';
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

/** Whether a text names a fee, a finance charge, an example with a rate above 0, or rates none of which is 0. */
export function hasCharge(examples: readonly ReadExample[], mentions: readonly Mention[], { lowest }: Rates): boolean {
  return (
    (lowest > 0 && Number.isFinite(lowest)) ||
    examples.some(({ aprPercent = 0, follows }) => aprPercent > 0 || (follows?.financeChargeCents ?? 0) > 0) ||
    mentions.some(
      ({ role, money, percent }) =>
        (role === 'fee' || role === 'financeCharge' || role === 'interest') &&
        ((money?.cents ?? 0) > 0 || (percent?.value ?? 0) > 0),
    )
  );
}
