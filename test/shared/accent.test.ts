import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accentColors, accentStyles, contrast } from '../../shared/accent.ts';

const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const css = ['server/http/pages/page.css', 'server/checkout/web/styles/base.css']
  .map((file) => readFileSync(file, 'utf8'))
  .join('');
/** Returns the colors of a variable of the pages. */
const inPages = (name: string) => {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)!;
  return { light, dark };
};

describe('The accent color of a merchant', () => {
  it('has the contrast of text on every background of the pages, and so has the text on it, for any color', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const colors = accentColors(color);
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, ink, soft } = colors[scheme];
          for (const background of ['paper', 'card', 'note']) {
            expect(contrast(accent, inPages(background)[scheme])).toBeGreaterThanOrEqual(4.5);
          }
          expect(contrast(ink, accent)).toBeGreaterThanOrEqual(4.5);
          for (const text of ['ink', 'soft']) expect(contrast(inPages(text)[scheme], soft)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it('is unchanged where its contrast suffices', () => {
    expect(accentColors('#0b5d4e').light.accent).toBe('#0b5d4e');
    expect(accentColors('#5fd3b8').dark.accent).toBe('#5fd3b8');
  });

  it('is only as dark or as light as needed', () => {
    const { light, dark } = accentColors('#ffd400');
    expect(contrast(light.accent, '#fff4d6')).toBeLessThan(4.7);
    expect(dark.accent).toBe('#ffd400');
    expect(contrast(accentColors('#000080').dark.accent, '#362d14')).toBeLessThan(4.7);
  });

  it('has the contrast of WCAG’s examples', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  it('is a style sheet of variables for both color schemes', () => {
    expect(accentStyles('#0b5d4e')).toMatch(/^:root \{\n {2}--accent: light-dark\(#0b5d4e, #\w{6}\);\n/);
  });
});
