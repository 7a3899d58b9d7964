/** What not every page uses, by name. Whatever bundles this module cuts it off here; `parts-served.ts` stands for it in what the service serves. */
const parts = {
  'amount-from': () => import('./amount-from.ts'),
  checkout: () => import('./checkout/index.ts'),
  debug: () => import('./debug/index.ts'),
  languages: () => import('./languages.ts'),
};

/** Loads a part. Rejects when it cannot be had. */
export function loadPart<Name extends keyof typeof parts>(name: Name): ReturnType<(typeof parts)[Name]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which of them it is, TypeScript forgets
  return parts[name]() as ReturnType<(typeof parts)[Name]>;
}
