export interface SchemeColors {
  /** Of links, and of the background of buttons. */
  accent: string;
  /** Of the text on buttons. */
  ink: string;
  /** Background of a selected choice. */
  soft: string;
}

/** WCAG 2.2, 1.4.3: the contrast of text. */
const MIN_CONTRAST = 4.5;

/**
 * The color schemes: the backgrounds of links in `server/http/pages/page.css`, the color that a soft background is mixed with and the accent's
 * share of it, the color of text on buttons, and the color towards which an accent is changed until it has enough contrast.
 */
const LIGHT = { backgrounds: ['#f6f5f2', '#fff4d6'], soft: '#ffffff', softShare: 0.1, ink: '#ffffff', towards: '#000000' };
const DARK = { backgrounds: ['#1c1f25', '#362d14'], soft: '#1c1f25', softShare: 0.12, ink: '#14161a', towards: '#ffffff' };

/**
 * Returns the colors of links and buttons for a merchant's accent color. A color with too little contrast is made darker in the light
 * scheme and lighter in the dark one, just as far as needed.
 *
 * @param color - `#0b5d4e`
 */
export function accentColors(color: string): { light: SchemeColors; dark: SchemeColors } {
  return { light: colorsIn(LIGHT, color), dark: colorsIn(DARK, color) };
}

function colorsIn({ backgrounds, soft, softShare, ink, towards }: typeof LIGHT, color: string): SchemeColors {
  let accent = color;
  // Ends at 100 % at the latest: black and white have enough contrast with the backgrounds of their scheme.
  for (let percent = 1; !backgrounds.every((background) => contrast(accent, background) >= MIN_CONTRAST); percent++) {
    accent = mix(color, towards, percent / 100);
  }
  return { accent, ink, soft: mix(soft, accent, softShare) };
}

/** Returns a style sheet with the colors, for pages that use `page.css`. */
export function accentStyles(color: string): string {
  const { light, dark } = accentColors(color);
  const variable = (name: string, part: keyof SchemeColors) => `  ${name}: light-dark(${light[part]}, ${dark[part]});\n`;
  return `:root {\n${variable('--accent', 'accent')}${variable('--accent-ink', 'ink')}${variable('--accent-soft', 'soft')}}\n`;
}

/** Returns the contrast ratio of two colors, from 1 to 21. @see WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @see WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes a share of `other` into a color. */
function mix(color: string, other: string, share: number): string {
  const added = channels(other);
  const mixed = channels(color).map((value, index) => Math.round(value + (added[index]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
