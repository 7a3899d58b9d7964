/** Adding a language: a folder of texts, a line in `shared/languages/index.ts`, and one for the widget. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { open, type Page, submit } from '../support/checkout.ts';
import { TEST_DATA_KEYS } from '../support/data-keys.ts';
import { createMigratedDatabaseUrl } from '../support/databases.ts';
import { fetchResponse, noLimits, widgetFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['shared', 'server', 'widget', 'demo', 'package.json', 'tsconfig.json'];

/** A copy of the project with French, whose texts are the English ones with a mark. */
function copyWithFrench(): string {
  const copy = mkdtempSync(join(tmpdir(), 'fairterm-french-'));
  onCleanup(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const languages = join(copy, 'shared/languages');
  mkdirSync(join(languages, 'fr'));
  for (const file of readdirSync(join(languages, 'en'))) {
    const english = readFileSync(join(languages, 'en', file), 'utf8');
    writeFileSync(join(languages, 'fr', file), marked(english));
  }
  edit(join(languages, 'index.ts'), (text) =>
    text
      .replace("import * as es from './es/index.ts';\n", "$&import * as fr from './fr/index.ts';\n")
      .replace('languages = { en, es }', 'languages = { en, es, fr }'),
  );
  edit(join(copy, 'widget/language.ts'), (text) =>
    text.replace(/^ {2}es: .*\n/m, "$&  fr: () => import('../shared/languages/fr/widget.ts'),\n"),
  );
  return copy;
}

/** Marks the texts of a file: those after a property name, and those in a list of forms. */
function marked(file: string): string {
  return file
    .replaceAll("language: 'en'", "language: 'fr'")
    .replaceAll("locale: 'en-US'", "locale: 'fr-US'")
    .replaceAll("languageName: 'English'", "languageName: 'Français'")
    .replace(/^( *\w+:(?:\n +)? )'([^']*[a-z]{3}[^']*)',$/gm, (all, name: string, text: string) =>
      /^(fr|fr-US|Français)$/.test(text) ? all : `${name}'«fr» ${text}',`,
    );
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('A third language', () => {
  let copy: string;
  beforeAll(() => {
    copy = copyWithFrench();
  });

  it('needs nothing else for the compiler', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    writeFileSync(
      join(copy, 'tsconfig.check.json'),
      JSON.stringify({ extends: './tsconfig.json', include: ['shared', 'server', 'widget/*.ts', 'demo'] }),
    );
    const checked = promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.check.json'], { cwd: copy });
    expect(await checked.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: '' });
  });

  it('is the language of a purchase, with the texts of a lender that has none in it in English', async () => {
    const { serve }: typeof import('../../server/main.ts') = await import(join(copy, 'server/main.ts'));
    const { readConfig }: typeof import('../../server/base/config/config.ts') = await import(
      join(copy, 'server/base/config/config.ts')
    );
    const merchants: typeof import('../../server/merchants/merchants.ts') = await import(
      join(copy, 'server/merchants/merchants.ts')
    );
    const databaseUrl = await createMigratedDatabaseUrl();
    const config = { ...readConfig({ DATA_KEYS: TEST_DATA_KEYS }), port: 0, databaseUrl, limits: noLimits };
    const service = await serve(config, widgetFolder);
    onCleanup(() => service.close());
    const merchant = { name: 'Maison', storeUrl: 'https://shop.example', origins: [] };
    const { apiKey, secret } = await merchants.createMerchant(service.database, 'sandbox', merchant, service.clock.now());
    const headers = { authorization: `Basic ${btoa(`${apiKey}:${secret}`)}`, 'content-type': 'application/json' };
    const items = [{ name: 'Chaise', sku: 'C-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }];
    const created = await fetchResponse(`${service.publicUrl}/carts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ options: { items } }),
    });

    const shown: Page[] = [];
    let page = await open(`${created.body.url}?lang=fr`);
    for (; page.status === 200; page = await submit(page)) shown.push(page);

    expect(page.headers.get('location')).toMatch(/^https:\/\/shop\.example\?transactionId=/);
    expect(shown).toHaveLength(4);
    for (const { text, heading } of shown) {
      expect(text).toContain('<html lang="fr"');
      expect(heading).toMatch(/^«fr» ./);
    }
    // The sample agreement of the standard program has no French.
    expect(shown.at(-1)!.text).toContain('promise to pay');
  });
});
