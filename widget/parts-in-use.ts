import type { Core } from './core.ts';
import { emit, FinancingError } from './events.ts';
import { loadPart } from './parts.ts';

type Name = 'amount-from' | 'checkout' | 'debug';

/** A part that works, or is to. */
interface Use {
  key: unknown;
  stop?: () => void;
}

/**
 * Has parts at work for an element: each as long as there is a key for it, anew for another key.
 *
 * @returns To be called with the name of a part and its key, as often as may be; no key for none. A part that cannot be loaded
 *   is the error `part`.
 */
export function partsInUse(core: Core) {
  const inUse: Partial<Record<Name, Use>> = {};

  const begin = async (name: Name, mine: Use): Promise<void> => {
    try {
      const { start } = await loadPart(name);
      if (inUse[name] === mine) mine.stop = start(core);
    } catch {
      emit(core.element, 'financing-error', new FinancingError('part', name));
    }
  };
  return (name: Name, key: unknown): void => {
    if (inUse[name]?.key === key) return;
    inUse[name]?.stop?.();
    const mine: Use = (inUse[name] = { key });
    if (key) void begin(name, mine);
  };
}
