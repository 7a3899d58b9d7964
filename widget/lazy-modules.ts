import type { html, render } from 'lit';
import type { Terms } from './estimate.ts';
import type { PriceReason } from './events.ts';
import type { FinancingButton } from './financing-button.ts';
import type { Language } from './language.ts';

/** Features that few pages or buyers use. The build creates a file for each, which is loaded when it is used. */
const modules = {
  'amount-from': () => import('./amount-from.ts'),
  checkout: () => import('./checkout.ts'),
  details: () => import('./details.ts'),
} satisfies Record<string, () => Promise<{ start: (context: ModuleContext) => () => void }>>;

export type ModuleName = keyof typeof modules;

/** The element, and the internals of it that modules use. */
export interface ModuleContext {
  readonly element: FinancingButton;
  readonly internals: ElementInternals;
  /** Those of the script: a page must not load Lit twice, because its Trusted Types policy exists only once. */
  readonly html: typeof html;
  readonly render: typeof render;
  language(): Language;
  /** Undefined while the programs are loading, and after an error. */
  terms(): Terms | undefined;
  /** Amount to be financed, in cents; 0 for none. */
  cents(): number;
  /** Shows the button for a cart that the page describes. */
  enableCheckout(): void;
  /** Sets the price of the page in cents, 0 for none, or the reason for which its text is refused. */
  setPagePrice(price: number | PriceReason, text: string): void;
  closeDetails(): void;
  /** Handles a module that could not be loaded or started. */
  onFailure(name: ModuleName): void;
}

/** Loads, starts and stops the lazy modules of one element. */
export class LazyModules {
  readonly #context: ModuleContext;
  readonly #running: Partial<Record<ModuleName, { key: unknown; stop?: () => void }>> = {};

  constructor(context: ModuleContext) {
    this.#context = context;
  }

  /** Loads a module that will probably be used. */
  preload(name: ModuleName): void {
    modules[name]().catch(() => {
      // It is loaded again when it is used.
    });
  }

  /** Runs a module while `key` is truthy, and restarts it when `key` changes. */
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
      this.#context.onFailure(name);
    }
  }
}
