/**
 * Cost of 24 buttons on a page in Chromium with a processor slowed down four times: time in scripts, long tasks, and the time until a
 * changed amount is laid out. The baseline is a minimal LitElement that renders a text of the same length; they take turns in one run.
 *
 * `node --import ./test/support/typescript.mjs test/bench/widget.bench.ts [rounds]`
 */
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { projectRoot } from '../../server/setup/project.mjs';
import { ensureBrowser, playwrightArgs } from '../support/chromium.mjs';
import { median, reportFigure } from './figures.ts';
import { dist } from './built.ts';

const BUTTONS = 24;
const SLOWER = 4;
const CHANGES = 60;
const GOAL_SCRIPT_MS = 200;
const GOAL_PAINTED_MS = 16;
const kinds = ['baseline', 'widget'] as const;
type Kind = (typeof kinds)[number];
type Result = Record<'scriptMs' | 'taskMs' | 'longestMs' | 'paintedMs', number>;
const ROUNDS = Number(process.argv[2] ?? 7);

const { standardProgram } = await dist('server/lending/programs/standard-program.js');
const { rateSheet } = await dist('shared/programs/rate-sheet.js');
const { disclosureTexts } = await dist('shared/languages/index.js');
const programs = JSON.stringify({ defaultProgramId: 'standard', programs: [rateSheet(standardProgram)], texts: disclosureTexts });

const baselineSource = `import { html, LitElement } from 'lit';
  customElements.define('financing-button', class extends LitElement {
    static properties = { amount: {} };
    render() { return html\`<p>As low as <strong>$\${(this.amount / 2400).toFixed(2)}</strong>/month</p><p>\${'An example of a loan. '.repeat(20)}</p><a href="/cart">Pay over time</a>\`; }
  });`;
const files = { widget: readFileSync(`${projectRoot}/dist/widget/financing-button.js`), baseline: await bundled(baselineSource) };

const tiles = Array.from(
  { length: BUTTONS },
  (_, tile) => `<financing-button api-key="k" amount="${20_000 + 4_321 * tile}" cart-url="/cart"></financing-button>`,
);
const server = createServer(({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://shop');
  const [type, body] = pathname.endsWith('.js')
    ? ['text/javascript', files[pathname.includes('baseline') ? 'baseline' : 'widget']]
    : pathname === '/storefront/programs'
      ? ['application/json', programs]
      : [
          'text/html',
          `<!doctype html><title>Shop</title><script type="module" src="/widget/${searchParams.get('of')}/financing-button.js"></script>${tiles.join('')}`,
        ];
  response.writeHead(200, { 'content-type': type }).end(body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: playwrightArgs });
try {
  const results: Record<Kind, Result[]> = { baseline: [], widget: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const of of round % 2 ? kinds : kinds.toReversed()) results[of].push(await measured(of));
  }
  const of = (kind: Kind, key: keyof Result) => median(results[kind].map((result) => result[key]));
  console.log(`${BUTTONS} buttons, processor slowed ${SLOWER} times, median of ${ROUNDS} rounds`);
  for (const kind of kinds) {
    console.log(
      `${kind.padEnd(8)} scripts ${of(kind, 'scriptMs').toFixed(0).padStart(4)} ms, all tasks ${of(kind, 'taskMs').toFixed(0).padStart(4)} ms, longest ${of(kind, 'longestMs').toFixed(0).padStart(4)} ms, ` +
        `changed amount laid out (95th of 100) ${of(kind, 'paintedMs').toFixed(1)} ms`,
    );
  }
  reportFigure({ what: 'scripts', value: of('widget', 'scriptMs'), unit: 'ms', atMost: GOAL_SCRIPT_MS });
  reportFigure({ what: 'a changed amount', value: of('widget', 'paintedMs'), unit: 'ms', atMost: GOAL_PAINTED_MS });
} finally {
  await browser.close();
  server.close();
}

/** One visit with a fresh browser profile and an empty cache. */
async function measured(of: Kind): Promise<Result> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Performance.enable');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?of=${of}`);
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('financing-button')].filter(({ shadowRoot }) => shadowRoot?.querySelector('strong'))
        .length === count,
    BUTTONS,
  );
  const { metrics } = await session.send('Performance.getMetrics');
  const timeOf = (name: string) => 1_000 * metrics.find((metric) => metric.name === name)!.value;
  // `ScriptDuration` excludes work triggered by responses and promises; `TaskDuration` includes everything, layout too.
  const scriptMs = timeOf('ScriptDuration');
  const taskMs = timeOf('TaskDuration');
  const { longestMs, paintedMs } = await page.evaluate(async (changes) => {
    const longest = await new Promise<number>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(Math.max(...list.getEntries().map(({ duration }) => duration))));
      observer.observe({ type: 'longtask', buffered: true });
      setTimeout(() => resolve(0), 100);
    });
    const button = document.querySelector('financing-button')!;
    const times = [];
    for (let change = 0; change < changes; change++) {
      await new Promise(requestAnimationFrame);
      const from = performance.now();
      button.amount = 30_000 + 977 * change;
      await button.updateComplete;
      button.getBoundingClientRect();
      times.push(performance.now() - from);
    }
    return { longestMs: longest, paintedMs: times.toSorted((a, b) => a - b)[Math.floor(0.95 * changes)]! };
  }, CHANGES);
  await context.close();
  return { scriptMs, taskMs, longestMs, paintedMs };
}

async function bundled(source: string) {
  const virtual = {
    name: 'baseline',
    resolveId: (id: string) => (id.endsWith('/baseline.js') ? `${projectRoot}/baseline.js` : undefined),
    load: (id: string) => (id.endsWith('/baseline.js') ? source : undefined),
  };
  const [built] = [
    await build({
      root: projectRoot,
      configFile: false,
      logLevel: 'error',
      mode: 'production',
      publicDir: false,
      plugins: [virtual],
      build: { write: false, lib: { entry: `${projectRoot}/baseline.js`, formats: ['es'], fileName: 'baseline' } },
    }),
  ].flat();
  return (built as Rolldown.RolldownOutput).output[0].code;
}
