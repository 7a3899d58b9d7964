import type { Plugin } from 'vite';

/** Minifiers leave strings alone; the white space in our style sheet and markup is some hundred bytes. */
export function minifyTemplates(room: string): Plugin {
  return {
    name: 'minify-templates',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(room)) return null;
      return {
        code: code.replace(/(?<=\bcss(?: \*\/ )?`)[^`]*/g, minifyCss).replace(/(?<=[>`}])\n\s+(?=[<$`])/g, ''),
        map: null,
      };
    },
  };
}

export function minifyCss(sheet: string): string {
  return sheet
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,:]) ?/g, '$1')
    .replaceAll(';}', '}');
}
