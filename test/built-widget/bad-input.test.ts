/** Misuse of the element by pages. The element keeps working, runs no injected script and throws no error into the page. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitForStates, holdRequests, startWidgetShop, type Visitor } from './shop.ts';

const shop = await startWidgetShop();

/** Opens a page with the script and `body`. The page records error events and uncaught errors. */
async function visit(body: string, prepare?: (page: Page) => Promise<unknown>): Promise<Visitor> {
  const visitor = await shop.openPage();
  const { page } = visitor;
  await page.addInitScript(() => {
    const events: string[] = [];
    Object.assign(globalThis, { events, hacked: 0 });
    addEventListener('financing-error', ({ detail }) => events.push(detail.code));
    addEventListener('error', ({ message }) => events.push(`uncaught ${message}`));
    addEventListener('unhandledrejection', ({ reason }) => events.push(`unhandled ${reason}`));
  });
  await prepare?.(page);
  await page.goto(shop.createPage({ body }));
  return visitor;
}

const eventsOn = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'events'));

describe('A value', () => {
  it('of any wrong type in any property causes no uncaught error, and the next valid amount is quoted', async () => {
    const { page, problems } = await visit(shop.button());
    await waitForStates(page, 'quoted');
    await page.evaluate(async () => {
      const control = document.querySelector('financing-button')!;
      const values = [Symbol('s'), 10n, {}, [], () => 1, Object.create(null), true, -0, 'x'.repeat(100_000), '\u0000', '\uD800'];
      const names = 'amount apiKey cartUrl program service show mode theme items tax lang name'.split(' ');
      for (const name of names) {
        for (const value of values) {
          const button = document.createElement('financing-button');
          Object.assign(button, { apiKey: control.apiKey, amount: 50_000, cartUrl: '/cart' });
          document.body.append(button);
          try {
            Object.assign(button, { [name]: value });
          } catch {
            // Some values throw, as they do for the browser's built-in properties.
          }
          await button.updateComplete;
          button.remove();
        }
      }
      for (const value of values) control.amount = value as number;
      await control.updateComplete;
      control.amount = 60_000;
      await control.updateComplete;
    });
    await waitForStates(page, 'quoted');
    expect((await eventsOn(page)).filter((message) => message.startsWith('un'))).toEqual([]);
    expect(problems().filter((message) => !message.includes('CORS policy'))).toEqual([]);
  });

  it('that contains markup adds no element and runs no script in any attribute', async () => {
    const attacks = [
      `"><img src=x onerror="hacked++"><script>hacked++</script>`,
      `'><svg onload=hacked++>`,
      `javascript:hacked++`,
      'data:text/html,<script>hacked++</script>',
      '${hacked++}',
      '{{hacked++}}',
      '</style><script>hacked++</script>',
      '[lang="',
      ')}*{display:none',
    ];
    const names = 'api-key cart-url service program amount show theme lang mode name items class id dir slot part'.split(' ');
    const body = names.flatMap((name) => attacks.map((attack) => shop.button({ [name]: attack }))).join('');
    const { page, problems } = await visit(body, (tab) => tab.route('**/x', (route) => route.fulfill({ status: 404 })));
    await page.waitForLoadState('networkidle');
    for (const link of await page.evaluate(() =>
      [...document.querySelectorAll('financing-button')].map(({ shadowRoot }) => shadowRoot!.querySelector('a')?.protocol),
    )) {
      expect([undefined, 'http:', 'https:']).toContain(link);
    }
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBe(0);
    expect(
      await page
        .locator('financing-button')
        .evaluateAll((all) => all.filter(({ shadowRoot }) => shadowRoot!.querySelector('img, svg, script')).length),
    ).toBe(0);
    expect((await eventsOn(page)).filter((message) => message.startsWith('un'))).toEqual([]);
    expect(problems().filter((message) => !message.includes('CORS policy'))).toEqual([]);
  });
});

/** Scripts that add a button with the markup `html` to `main`. */
const insertions: Record<string, string> = {
  'is written by innerHTML': `main.innerHTML = html;`,
  'is created and then configured by properties': `main.append(Object.assign(document.createElement('financing-button'), properties));`,
  'is cloned with its parent': `const box = document.createElement('div'); box.innerHTML = html; main.append(box.cloneNode(true));`,
  'is cloned after its quote': `main.innerHTML = html; await settled(); const copy = main.firstChild.cloneNode(true); main.replaceChildren(copy);`,
  'is imported from a template': `const template = document.createElement('template'); template.innerHTML = html; main.append(document.importNode(template.content, true));`,
  'is moved while it loads': `main.innerHTML = html; const b = main.firstChild; document.body.prepend(b); main.append(b);`,
  'is moved after its quote': `main.innerHTML = html; await settled(); const b = main.firstChild; document.body.prepend(b); await 0; main.append(b);`,
  'is removed while it loads and inserted again': `main.innerHTML = html; const b = main.firstChild; b.remove(); await b.updateComplete; main.append(b);`,
  'is in a shadow root': `const root = main.attachShadow({ mode: 'open' }); root.innerHTML = html; root.append(...root.childNodes);`,
  'is in nested shadow roots': `let root = main; for (let i = 0; i < 5; i++) { const box = document.createElement('div'); root.append(box); root = box.attachShadow({ mode: 'closed' }); } root.innerHTML = html; found = root.firstChild;`,
  'is in a form': `main.innerHTML = '<form>' + html + '<input name=q></form>'; main.firstChild.reset();`,
  'is in a disabled fieldset': `main.innerHTML = '<form><fieldset disabled>' + html + '</fieldset></form>';`,
  'is in a table, a paragraph and a label': `main.innerHTML = '<table><td><p><label>' + html;`,
  'is moved to the document of a frame and back': `const frame = document.createElement('iframe'); document.body.append(frame); main.innerHTML = html; const b = main.firstChild; frame.contentDocument.body.append(b); await b.updateComplete; main.append(b); frame.remove();`,
  'is hidden and shown': `main.innerHTML = html; main.firstChild.hidden = true; await settled(); main.firstChild.hidden = false;`,
  'is serialized and inserted again': `main.innerHTML = html; await settled(); const saved = main.innerHTML; main.innerHTML = ''; main.insertAdjacentHTML('beforeend', saved);`,
};

const visitor = await visit('');
await visitor.page.waitForFunction(() => customElements.get('financing-button'));

describe('A button that', () => {
  it.each(Object.keys(insertions))('%s shows a quote without errors', async (insertion) => {
    const { page, problems } = visitor;
    await page.evaluate(
      async ([code, html, properties]) => {
        const main = document.createElement('main');
        document.body.replaceChildren(main);
        const settled = async () => {
          while (!main.querySelector('financing-button')!.matches(':state(quoted)')) await new Promise(requestAnimationFrame);
        };
        const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
        await AsyncFunction(
          'main',
          'html',
          'properties',
          'settled',
          `let found; ${code}; globalThis.found = found ?? (main.shadowRoot ?? main).querySelector('financing-button');`,
        )(main, html, properties, settled);
      },
      [insertions[insertion]!, shop.button(), { apiKey: shop.merchant.apiKey, amount: 50_000, cartUrl: '/cart' }] as const,
    );
    await page.waitForFunction(() => (Reflect.get(globalThis, 'found') as HTMLElement).matches(':state(quoted)'));
    expect(
      await page.evaluate(() => (Reflect.get(globalThis, 'found') as HTMLElement).shadowRoot!.querySelectorAll('strong').length),
    ).toBe(1);
    expect(await eventsOn(page)).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('had properties before the script loaded applies them, and they override its attributes', async () => {
    const { page, problems } = await visit(shop.button({ amount: 1 }), async (tab) => {
      const script = await holdRequests(tab, '**/financing-button.js');
      await tab.exposeFunction('releaseScript', script.release);
      await tab.addInitScript(() => {
        const observer = new MutationObserver(() => {
          const button = document.querySelector('financing-button');
          if (!button) return;
          observer.disconnect();
          const early = document.createElement('financing-button');
          button.after(Object.assign(early, { amount: 70_000, cartUrl: '/cart', apiKey: button.getAttribute('api-key') }));
          button.amount = 60_000;
          Reflect.get(globalThis, 'releaseScript')();
        });
        observer.observe(document, { childList: true, subtree: true });
      });
    });
    await waitForStates(page, 'quoted');
    expect(await page.evaluate(() => [...document.querySelectorAll('financing-button')].map(({ amount }) => amount))).toEqual([
      60_000, 70_000,
    ]);
    expect(problems()).toEqual([]);
  });
});
