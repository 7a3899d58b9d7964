import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brotliBytes, buildWidget } from './widget-build.ts';

const MAX_BYTES = 11_600;
const MAX_DETAILS_BYTES = 5_500;
const MAX_AMOUNT_FROM_BYTES = 2_200;
const scripts = ['financing-button.js', 'financing-button.iife.js'];

describe('The script of the widget', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairterm-widget-'));
    await Promise.all([buildWidget(join(folder, 'one')), buildWidget(join(folder, 'two'))]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(scripts)(`has at most ${MAX_BYTES} bytes with brotli: %s`, (script) => {
    expect(brotliBytes(join(folder, 'one', script))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it(`has details of at most ${MAX_DETAILS_BYTES} bytes with brotli`, () => {
    expect(brotliBytes(join(folder, 'one', 'details.js'))).toBeLessThanOrEqual(MAX_DETAILS_BYTES);
  });

  it(`parses prices with at most ${MAX_AMOUNT_FROM_BYTES} bytes with brotli`, () => {
    expect(brotliBytes(join(folder, 'one', 'amount-from.js'))).toBeLessThanOrEqual(MAX_AMOUNT_FROM_BYTES);
  });

  it.each([...scripts, 'reserve.css'])('is the same in every build: %s', async (file) => {
    const [one, two] = await Promise.all(['one', 'two'].map((name) => readFile(join(folder, name, file))));
    expect(one!.equals(two!)).toBe(true);
  });

  it('contains no validation library', async () => {
    expect(await readFile(join(folder, 'one', 'financing-button.js'), 'utf8')).not.toMatch(/superstruct|StructError/);
  });

  it('can be imported without a document', async () => {
    const { FinancingButton } = await import('../../widget/index.ts');
    expect(FinancingButton.name).toBe('FinancingButton');
  });
});
