declare module 'fontkit' {
  /** Reads a font file. */
  export function openSync(path: string): { hasGlyphForCodePoint(codePoint: number): boolean };
}
