import type { Mode } from '../../mode.ts';
import { cartOperations } from './carts.ts';
import type { Operation } from './operation.ts';
import { asLowAsOperations, sandboxOperations, serviceOperations } from './others.ts';
import { platformOperations } from './platform.ts';
import { storefrontOperations } from './storefront.ts';
import { tokenOperations } from './tokens.ts';
import { transactionOperations } from './transactions.ts';

/** Every call there is, in the order in which people read of them. */
export function operationsIn(mode: Mode): readonly Operation[] {
  return mode === 'sandbox' ? all : all.filter(({ sandboxOnly }) => !sandboxOnly);
}

const all: readonly Operation[] = [
  ...cartOperations,
  ...transactionOperations,
  ...asLowAsOperations,
  ...platformOperations,
  ...tokenOperations,
  ...sandboxOperations,
  ...storefrontOperations,
  ...serviceOperations,
];
