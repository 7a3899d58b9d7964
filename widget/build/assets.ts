import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { styles } from '../styles.ts';
import { english } from '../texts/english.ts';
import { minifyCss } from './templates.ts';

/** What stands beside the scripts: style sheets for before they run, and the languages they fetch. */
export function assets(room: string): Plugin {
  return {
    name: 'assets',
    generateBundle() {
      for (const [fileName, source] of assetsOf(room)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

function assetsOf(room: string): [fileName: string, source: string][] {
  const texts = `${room}texts`;
  const languages = readdirSync(texts).filter((name) => name.endsWith('.json'));
  return [
    ['reserve.css', readFileSync(`${room}reserve.css`, 'utf8')],
    // What the element adopts, for a shadow root that stands in the page before the element does.
    ['shadow.css', minifyCss(styles).trim()],
    // For the service, which writes them into pages; scripts have them.
    ['texts/en.json', JSON.stringify(english)],
    ...languages.map((name): [string, string] => {
      const words: unknown = JSON.parse(readFileSync(`${texts}/${name}`, 'utf8'));
      return [`texts/${name}`, JSON.stringify(words)];
    }),
  ];
}
