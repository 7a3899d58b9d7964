import type { ServerResponse } from 'node:http';
import { html } from '@lit-labs/ssr';
import { expect, it } from 'vitest';
import { renderFrame } from '../../../../server/http/pages/frame.ts';
import { renderHtml } from '../../../../server/http/pages/html.ts';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { listen } from '../../../support/http.ts';

const browser = await startBrowser();

it.each([
  ['Browsers show nothing of a page before its last row arrives', true],
  ['Browsers show a part of a page that does not tell them what to wait for', false],
])('%s', async (_title, isComplete) => {
  // Asks for the rest once a part is shown. A page that is not shown asks after half a second, which is enough for 30 frames.
  const script = `<script>
    globalThis.frames = 0;
    const askForRest = () => fetch('/rest', { method: 'POST' });
    requestAnimationFrame(() => { frames++; askForRest(); });
    if (${isComplete}) setTimeout(askForRest, 500);
  </script>`;
  const main = html`<table><tr><td>First</td></tr>REST<tr><td>Last</td></tr></table>`;
  const frame = { language: 'en', title: 'Rows', stylesheets: [], header: html`<header>Rows</header>`, main };
  const text = renderHtml(renderFrame(frame)).replace('<table>', `${script}<table>`);
  const [start, rest] = (isComplete ? text : text.replace('rel="expect"', '')).split('REST');
  let unfinished: ServerResponse;
  const { url, stop } = await listen((request, response) => {
    if (request.url === '/') {
      unfinished = response.writeHead(200, { 'content-type': 'text/html' });
      unfinished.write(start);
      return;
    }
    if (request.url === '/rest' && !unfinished.writableEnded)
      unfinished.end(`<script>globalThis.framesBefore = frames</script>${rest}`);
    response.writeHead(204).end();
  });
  onCleanup(stop);
  const { page } = await openPage(browser);
  await page.goto(url);
  expect(await page.evaluate('framesBefore')).toBe(isComplete ? 0 : 1);
  expect(await page.textContent('tr:last-child')).toBe('Last');
});
