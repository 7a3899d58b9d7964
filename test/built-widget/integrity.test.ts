/** Pages with Subresource Integrity: the script tag has the hash of the script. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { widgetFolder } from '../support/service.ts';
import { waitForStates, startWidgetShop } from './shop.ts';

const shop = await startWidgetShop();
const manifest = await (await fetch(`${shop.service.publicUrl}/widget/manifest.json`)).json();
const version = manifest.current;
const files = manifest.versions[version].files;

const scripts: [name: string, type: string][] = [
  ['financing-button.js', 'type="module"'],
  ['financing-button.iife.js', 'defer'],
];

describe.each(scripts)('A page with the hash of %s', (name, type) => {
  const pageWith = (url: string, integrity: string, attributes = {}) =>
    shop.createPage({
      head: `<script ${type} src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
      body: shop.button(attributes),
    });

  it('runs the script of the manifest, which loads its programs and texts from the service', async () => {
    const { page, problems } = await shop.openPage();
    const { url, integrity } = files[name]!;
    await page.goto(pageWith(url, integrity, { lang: 'es' }));
    await waitForStates(page, 'quoted');
    await expect.poll(() => page.locator('[lang="es-US"]').count()).toBeGreaterThan(0);
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
    expect(loaded.filter((path) => path.includes('/widget/') && !path.includes(`/widget/${version}/`))).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('does not run a script that differs by a byte', async () => {
    const bytes = readFileSync(`${widgetFolder}/${name}`);
    bytes[bytes.length - 1]! ^= 1;
    const url = await startHost((path) => (path === `/${name}` ? bytes : undefined));
    const { page, problems } = await shop.openPage();
    await page.goto(pageWith(`${url}/${name}`, files[name]!.integrity));
    await expect.poll(() => problems().join()).toContain('integrity');
    expect(await page.evaluate(() => customElements.get('financing-button'))).toBeUndefined();
  });

  it('runs a script that the shop serves, with the service of the attribute', async () => {
    const url = await startHost((path) => readFileSync(widgetFolder + path));
    const { page, problems } = await shop.openPage();
    await page.goto(pageWith(`${url}/${name}`, files[name]!.integrity, { service: shop.service.publicUrl, lang: 'es' }));
    await waitForStates(page, 'quoted');
    expect(problems()).toEqual([]);
  });
});

/** Starts a host of files with CORS for all origins. */
async function startHost(read: (path: string) => Buffer | undefined): Promise<string> {
  const server = createServer((request, response) => {
    const found = read(request.url!);
    const type = request.url!.endsWith('.json') ? 'application/json' : 'text/javascript';
    response.writeHead(found ? 200 : 404, { 'access-control-allow-origin': '*', 'content-type': type }).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
