import { languages } from '../../../../shared/disclosure/languages.ts';
import { fill } from '../../../../shared/disclosure/texts.ts';
import type { BoxFee } from '../../../../shared/disclosure/tila-box.ts';
import type { Texts } from '../../texts/texts.ts';

/** `a down payment of $124.80 and an application fee of $15.00`: what there is of either, in words. */
export function inWords(
  t: Texts,
  downPaymentCents: number,
  fees: readonly Pick<BoxFee, 'kind' | 'cents'>[],
  currency: string,
): string {
  const down = downPaymentCents > 0 ? [fill(t.loan.aDownPayment, { amount: t.money(downPaymentCents, currency) })] : [];
  const { feeKinds } = languages[t.language];
  const charged = fees.map(({ kind, cents }) => fill(t.loan.aFee, { kind: feeKinds[kind], amount: t.money(cents, currency) }));
  return t.list([...down, ...charged]);
}
