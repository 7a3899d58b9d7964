import { english } from '../../../shared/disclosure/english.ts';
import type { BoxFee } from '../../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../../shared/money.ts';

/** Fees as they head a line. */
export const FEE_NAMES: Record<BoxFee['kind'], string> = {
  origination: 'Origination fee',
  application: 'Application fee',
  participation: 'Participation fee',
  service: 'Service fee',
};

/** `a down payment of $124.80 and an application fee of $15.00`: what there is of either, in words. */
export function inWords(downPaymentCents: number, fees: readonly Pick<BoxFee, 'kind' | 'cents'>[], currency: string): string {
  const down = downPaymentCents > 0 ? [`a down payment of ${formatMoney(downPaymentCents, currency)}`] : [];
  const charged = fees.map(({ kind, cents }) => `${english.feeKinds[kind]} of ${formatMoney(cents, currency)}`);
  return new Intl.ListFormat('en-US').format([...down, ...charged]);
}
