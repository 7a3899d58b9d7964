import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../../../server/main.ts';
import { readRelease } from '../../../../server/operations/widget-files/release.ts';
import { buildProject, startReachableProcess } from '../../../support/process.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createDatabaseUrl } from '../../../support/databases.ts';
import { fetchResponse, startService, widgetFolder } from '../../../support/service.ts';
import { testConfig } from '../../../support/data-keys.ts';

const silent = pino({ enabled: false });
const script = 'financing-button.js';
const built = readFileSync(`${widgetFolder}/${script}`);
const integrityOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** Returns a copy of the built widget whose script ends with `suffix`. */
function createBuild(suffix: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-widget-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(widgetFolder, folder, { recursive: true });
  writeFileSync(join(folder, script), Buffer.concat([built, Buffer.from(suffix)]));
  return folder;
}

/** Sends a request without the headers that `fetch` adds, and returns the body as bytes. */
async function bytesOf(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { statusCode, headers: responseHeaders, body } = await request(url, { method, headers });
  return { status: statusCode, headers: responseHeaders, bytes: Buffer.from(await body.arrayBuffer()) };
}

describe('Releases of the widget', () => {
  beforeAll(buildProject, 60_000);
  const start = async (databaseUrl: string, folder: string) => {
    const service = await serve({ ...testConfig, port: 0, databaseUrl }, folder, { log: silent });
    let isOpen = true;
    const stop = async () => {
      if (isOpen) await service.close();
      isOpen = false;
    };
    onCleanup(stop);
    const manifest = () => fetchResponse(`${service.publicUrl}/widget/manifest.json`);
    return { ...service, stop, manifest, version: readRelease(folder).version };
  };

  it('are all served unchanged after an upgrade, and listed in the manifest, the latest first', async () => {
    const databaseUrl = await createDatabaseUrl();
    const before = await start(databaseUrl, createBuild('//1'));
    await before.stop();

    const after = await start(databaseUrl, createBuild('//2'));
    // Another start with the same files adds no release.
    await (await start(databaseUrl, createBuild('//2'))).stop();

    const { body } = await after.manifest();
    expect(body.current).toBe(after.version);
    expect(Object.keys(body.versions)).toEqual([after.version, before.version]);
    for (const [version, suffix] of [
      [before.version, '//1'],
      [after.version, '//2'],
    ] as const) {
      const bytes = Buffer.concat([built, Buffer.from(suffix)]);
      const file = body.versions[version].files[script];
      const url = `${after.publicUrl}/widget/${version}/${script}`;
      expect(file).toEqual({ url, integrity: integrityOf(bytes), bytes: bytes.length });
      for (let times = 0; times < 2; times++) expect((await bytesOf(url)).bytes.equals(bytes)).toBe(true);
      expect((await bytesOf(`${after.publicUrl}/widget/${version}/reserve.css`)).status).toBe(200);
    }
    expect((await bytesOf(`${after.publicUrl}/widget/v1/${script}`)).bytes.toString().endsWith('//2')).toBe(true);
  });

  it('are served by a process that started before them, as during a rolling upgrade', async () => {
    const databaseUrl = await createDatabaseUrl();
    const old = await start(databaseUrl, createBuild('//1'));
    const { version } = await start(databaseUrl, createBuild('//2'));

    const { bytes } = await bytesOf(`${old.publicUrl}/widget/${version}/${script}`);

    expect(bytes.toString().endsWith('//2')).toBe(true);
    expect((await old.manifest()).body).toMatchObject({ current: old.version, versions: { [version]: expect.anything() } });
  });

  it('are stored once if several processes start concurrently', async () => {
    const databaseUrl = await createDatabaseUrl();

    const services = await Promise.all(Array.from({ length: 3 }, () => startReachableProcess(databaseUrl)));

    const manifests = await Promise.all(services.map(({ url }) => fetchResponse(`${url}/widget/manifest.json`)));
    const { version, files } = readRelease(widgetFolder);
    for (const { body } of manifests) {
      expect(Object.keys(body.versions)).toEqual([version]);
      expect(Object.keys(body.versions[version].files)).toEqual(files.map(({ name }) => name));
    }
    await Promise.all(services.map(({ kill }) => kill()));
  }, 60_000);
});

const service = await startService();
const { version } = readRelease(widgetFolder);
const url = `${service.publicUrl}/widget/${version}`;

describe('A released file', () => {
  it('is immutable, compressed, and available to pages of any origin', async () => {
    const { status, headers } = await bytesOf(`${url}/${script}`, { 'accept-encoding': 'br', origin: 'https://shop.example' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'accept-encoding',
    });
  });

  it('responds to HEAD, and with 304 to its ETag', async () => {
    const head = await bytesOf(`${url}/${script}`, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
    expect(head.headers['content-length']).toBe(String(built.length));
    const revalidated = await bytesOf(`${url}/${script}`, { 'if-none-match': String(head.headers['etag']) });
    expect(revalidated).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  });

  it('can be in a subfolder', async () => {
    const { body } = await fetchResponse(`${service.publicUrl}/widget/manifest.json`);
    const texts = Object.keys(body.versions[body.current].files).filter((name) => name.startsWith('texts/'));
    expect(texts).not.toEqual([]);
    for (const name of texts) {
      for (const baseUrl of [url, `${service.publicUrl}/widget/v1`]) {
        const { status, bytes } = await bytesOf(`${baseUrl}/${name}`);
        expect([status, bytes.length > 0]).toEqual([200, true]);
      }
    }
  });

  it.each([
    '0.1.0-000000000000/financing-button.js',
    'v1/unknown.js',
    'v2/financing-button.js',
    '%00/financing-button.js',
    'v1/%00',
    `${'9'.repeat(500)}/financing-button.js`,
    "'%20or%201=1%20--/financing-button.js",
    'CURRENT/unknown.js',
    'CURRENT/..%2fpackage.json',
    'CURRENT/module/define.js',
    'CURRENT/types/widget/index.d.ts',
    'CURRENT/',
    'CURRENT',
  ])('is not found at /widget/%s', async (path) => {
    const fileUrl = `${service.publicUrl}/widget/${path.replace('CURRENT', readRelease(widgetFolder).version)}`;
    expect(await fetchResponse(fileUrl)).toMatchObject({ status: 404, body: { code: 'unknown-path' } });
  });
});

describe('The manifest of the widget', () => {
  it('is available to any page, may be cached for five minutes, and is revalidated by its ETag', async () => {
    const { headers } = await bytesOf(`${service.publicUrl}/widget/manifest.json`);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
    const { status } = await bytesOf(`${service.publicUrl}/widget/manifest.json`, { 'if-none-match': String(headers['etag']) });
    expect(status).toBe(304);
  });

  it('cannot be read if the widget is not built, with an error that names the command', () => {
    expect(() => readRelease(join(tmpdir(), 'nowhere'))).toThrow('npm run build');
  });
});
