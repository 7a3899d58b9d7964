import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brotliBytes, buildAside } from './widget-build.mjs';

const MOST_BYTES = 9_500;
const MOST_MATHS_BYTES = 2_500;
const scripts = ['financing-button.js', 'financing-button.iife.js'];

describe('the widget as pages load it', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairterm-widget-'));
    await Promise.all([buildAside(join(folder, 'one')), buildAside(join(folder, 'two'))]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(scripts)(`%s is at most ${MOST_BYTES} bytes with brotli`, (script) => {
    expect(brotliBytes(join(folder, 'one', script))).toBeLessThanOrEqual(MOST_BYTES);
  });

  it(`works out its quotes in at most ${MOST_MATHS_BYTES} bytes of them`, async () => {
    await buildAside(join(folder, 'without'), 'test/bench/widget-without-maths.vite.config.ts');
    const [whole, without] = ['one', 'without'].map((name) => brotliBytes(join(folder, name, 'financing-button.js')));
    expect(whole! - without!).toBeLessThanOrEqual(MOST_MATHS_BYTES);
    // With the maths left in by mistake, nothing would be missing.
    expect(whole! - without!).toBeGreaterThan(1_000);
  });

  it.each([...scripts, 'reserve.css', 'shadow.css'])('%s comes out of two builds byte for byte the same', async (file) => {
    const [one, two] = await Promise.all(['one', 'two'].map((name) => readFile(join(folder, name, file))));
    expect(one!.equals(two!)).toBe(true);
  });

  it('carries no validation library', async () => {
    expect(await readFile(join(folder, 'one', 'financing-button.js'), 'utf8')).not.toMatch(/superstruct|StructError/);
  });
});

describe('the widget where there is no page', () => {
  it('is imported without a word', async () => {
    const { FinancingButton } = await import('../../widget/financing-button.ts');
    const { define } = await import('../../widget/define.ts');
    expect(FinancingButton.name).toBe('FinancingButton');
    expect(() => define()).not.toThrow();
  });
});
