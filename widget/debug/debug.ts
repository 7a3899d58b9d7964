import type { ModuleContext } from '../lazy-modules.ts';
import { findProblems } from './checks.ts';

/** Delay of the checks after the last event: prices are often rendered by scripts. */
const CHECK_DELAY_MS = 500;

const EVENTS = ['financing-quote', 'financing-error'] as const;

/**
 * Shows a panel with problems of the integration, for the page's developer. Checks again after each event of the element.
 *
 * @returns A function that stops, and removes the panel.
 */
export function start({ element }: ModuleContext): () => void {
  const panel = createPanel();
  let timer: ReturnType<typeof setTimeout>;
  const check = async (): Promise<void> => {
    panel.replaceChildren(...contentOf(await findProblems(element)));
  };
  const checkLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_DELAY_MS);
  };
  element.shadowRoot!.append(panel);
  for (const type of EVENTS) element.addEventListener(type, checkLater);
  checkLater();
  return () => {
    clearTimeout(timer);
    for (const type of EVENTS) element.removeEventListener(type, checkLater);
    panel.remove();
  };
}

/** An empty panel in a corner of the page. */
function createPanel(): HTMLElement {
  const panel = document.createElement('aside');
  panel.ariaLabel = 'Financing button: problems';
  // Set by script, because a strict policy rejects styles in markup.
  panel.style.cssText =
    'all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; box-sizing: border-box; inline-size: min(26rem, 100% - 24px);' +
    'max-block-size: 50vh; overflow: auto; padding: 12px 16px; border: 2px solid; border-radius: 10px; background: Canvas; color: CanvasText;' +
    'font: 13px/1.5 system-ui; color-scheme: light dark;';
  return panel;
}

function contentOf(problems: readonly string[]): HTMLElement[] {
  const title = document.createElement('strong');
  title.textContent = problems.length
    ? `Financing button: ${problems.length} to look at`
    : 'Financing button: nothing is missing';
  const list = document.createElement('ul');
  list.style.cssText = 'margin: 6px 0 0; padding-inline-start: 18px';
  list.append(...problems.map((textContent) => Object.assign(document.createElement('li'), { textContent })));
  return [title, list];
}
