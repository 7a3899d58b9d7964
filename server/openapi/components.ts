import type { AnyStruct } from '../../shared/wire/notes.ts';
import type { Named } from './schema-of.ts';
import { cartWords } from './words/carts.ts';
import { asLowAsWords, commonWords, sandboxWords } from './words/others.ts';
import { platformWords } from './words/platform.ts';
import { programWords } from './words/programs.ts';
import { storefrontWords } from './words/storefront.ts';
import { tokenWords } from './words/tokens.ts';
import { transactionWords } from './words/transactions.ts';

/** Every struct that has a name in the document. */
export const namedStructs: ReadonlyMap<AnyStruct, Named> = new Map([
  ...cartWords,
  ...transactionWords,
  ...asLowAsWords,
  ...platformWords,
  ...tokenWords,
  ...sandboxWords,
  ...programWords,
  ...storefrontWords,
  ...commonWords,
]);
