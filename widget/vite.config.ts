import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const room = fileURLToPath(new URL('./', import.meta.url));

/** What a page loads: a module, the same as a plain script, and the style sheet that keeps their space. */
export default defineConfig({
  root: fileURLToPath(new URL('../', import.meta.url)),
  publicDir: false,
  plugins: [minifyTemplates(), noGlobal(), reserveCss()],
  build: {
    outDir: 'dist/widget',
    target: 'es2022',
    minify: 'oxc',
    lib: {
      entry: `${room}index.ts`,
      name: 'Fairterm',
      formats: ['es', 'iife'],
      fileName: (format) => (format === 'es' ? 'financing-button.js' : 'financing-button.iife.js'),
    },
    rolldownOptions: {
      checks: { emptyImportMeta: false },
      output: { minify: true, comments: false, generatedCode: { symbols: false } },
    },
  },
});

/** The minifier leaves strings alone; the white space in our style sheet and markup is some hundred bytes. */
function minifyTemplates(): Plugin {
  return {
    name: 'minify-templates',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(room)) return null;
      return { code: code.replace(/(?<= css`)[^`]*/g, minifyCss).replace(/(?<=[>`}])\n\s+(?=[<$`])/g, ''), map: null };
    },
  };
}

/** A plain script has nobody to export to: without this it would leave a variable behind on the page. */
function noGlobal(): Plugin {
  return {
    name: 'no-global',
    renderChunk(code, _chunk, { format }) {
      if (format !== 'iife') return null;
      return { code: code.replace(/^var Fairterm = /, '').replace(/^\s*(exports\.\w+ = \w+|return exports);$/gm, ''), map: null };
    },
  };
}

function reserveCss(): Plugin {
  return {
    name: 'reserve-css',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'reserve.css', source: readFileSync(`${room}reserve.css`, 'utf8') });
    },
  };
}

function minifyCss(sheet: string): string {
  return sheet
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,:]) ?/g, '$1')
    .replaceAll(';}', '}');
}
