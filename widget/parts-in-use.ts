import type { Core } from './core.ts';
import { emit, FinancingError } from './events.ts';
import { loadPart } from './parts.ts';

/**
 * Has parts at work for an element: each as long as there is a key for it, anew for another key.
 *
 * @returns To be called with the name of a part and its key, as often as may be; no key for none. A part that cannot be loaded
 *   is the error `part`.
 */
export function partsInUse(core: Core) {
  const inUse: Partial<Record<string, { key: unknown; stop?: () => void }>> = {};

  return async (name: 'amount-from' | 'checkout' | 'debug', key: unknown): Promise<void> => {
    if (inUse[name]?.key === key) return;
    inUse[name]?.stop?.();
    const mine: { key: unknown; stop?: () => void } = (inUse[name] = { key });
    if (!key) return;
    try {
      const { start } = await loadPart(name);
      if (inUse[name] === mine) mine.stop = start(core);
    } catch {
      emit(core.element, 'financing-error', new FinancingError('part', name));
    }
  };
}
