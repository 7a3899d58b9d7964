import type { Core } from '../core.ts';
import { findingsOf } from './checks.ts';
import { panel } from './panel.ts';

/** How long a page is left to settle before it is looked at: prices often come by script. */
const SETTLED_MS = 500;

/**
 * Tells who builds a page what an element is missing: in a panel on the page. Looks again whenever the
 * element says something new.
 *
 * @returns Stops, and takes the panel away.
 */
export function start({ element }: Core): () => void {
  const shown = panel(element);
  let settling: ReturnType<typeof setTimeout>;
  const look = async (): Promise<void> => {
    shown.show(await findingsOf(element));
  };
  const lookSoon = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => void look(), SETTLED_MS);
  };
  for (const type of EVENTS) element.addEventListener(type, lookSoon);
  lookSoon();
  return () => {
    clearTimeout(settling);
    for (const type of EVENTS) element.removeEventListener(type, lookSoon);
    shown.remove();
  };
}

const EVENTS = ['financing-quote', 'financing-error'] as const;
