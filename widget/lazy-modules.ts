import type { RateSheet } from '../shared/programs/rate-sheet.ts';
import { emit, FinancingError } from './events.ts';
import type { FinancingButton } from './financing-button.ts';
import type { Language } from './language.ts';

/** Features that few pages use. The build creates a file for each, which is loaded by pages that use it. */
const modules = {
  'amount-from': () => import('./amount-from.ts'),
  checkout: () => import('./checkout/checkout.ts'),
  debug: () => import('./debug/debug.ts'),
} satisfies Record<string, () => Promise<{ start: (context: ModuleContext) => () => void }>>;

type ModuleName = keyof typeof modules;

/** The element, and the internals of it that modules use. */
export interface ModuleContext {
  readonly element: FinancingButton;
  readonly internals: ElementInternals;
  language(): Language;
  /** Currency of the program; undefined while the programs are loading. */
  currency(): RateSheet['currency'] | undefined;
  /** Shows the button for a cart that the page describes. */
  enableCheckout(): void;
  /** Sets the amount that the page shows as its price, in cents; 0 for none. */
  setPageCents(cents: number): void;
}

/** Loads, starts and stops the lazy modules of one element. */
export class LazyModules {
  readonly #context: ModuleContext;
  readonly #running: Partial<Record<ModuleName, { key: unknown; stop?: () => void }>> = {};

  constructor(context: ModuleContext) {
    this.#context = context;
  }

  /**
   * Runs a module while `key` is truthy, and restarts it when `key` changes. A module that cannot be loaded or started is
   * reported as the error `part`.
   */
  run(name: ModuleName, key: unknown): void {
    const before = this.#running[name];
    if (before?.key === key) return;
    before?.stop?.();
    this.#running[name] = { key };
    if (key) void this.#start(name);
  }

  stopAll(): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object literal
    for (const name of Object.keys(modules) as ModuleName[]) this.run(name, '');
  }

  async #start(name: ModuleName): Promise<void> {
    const run = this.#running[name]!;
    try {
      const { start } = await modules[name]();
      if (this.#running[name] === run) run.stop = start(this.#context);
    } catch {
      emit(this.#context.element, 'financing-error', new FinancingError('part', name));
    }
  }
}
