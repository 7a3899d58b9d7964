import type { Finding } from './finding.ts';

/** The list of findings, shown in a corner over the page. It belongs to the element, so that it goes with it. */
export function panel(element: Element): { show: (findings: readonly Finding[]) => void; remove: () => void } {
  const box = document.createElement('aside');
  box.ariaLabel = 'Financing button: what is missing';
  // By script, because a strict policy refuses styles in markup.
  box.style.cssText =
    'all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; box-sizing: border-box; inline-size: min(26rem, 100% - 24px);' +
    'max-block-size: 50vh; overflow: auto; padding: 12px 16px; border: 2px solid; border-radius: 10px; background: Canvas; color: CanvasText;' +
    'font: 13px/1.5 system-ui; color-scheme: light dark;';
  element.shadowRoot!.append(box);

  return {
    show(findings) {
      const title = document.createElement('strong');
      title.textContent = findings.length
        ? `Financing button: ${findings.length} to look at`
        : 'Financing button: nothing is missing';
      const list = document.createElement('ul');
      list.style.cssText = 'margin: 6px 0 0; padding-inline-start: 18px';
      list.append(
        ...findings.map(({ says }) => {
          const item = document.createElement('li');
          item.textContent = says;
          return item;
        }),
      );
      box.replaceChildren(title, list);
    },
    remove: () => box.remove(),
  };
}
