import type { fetchTexts as fetchFromService } from './fetch-texts.ts';

/** For bundlers, which make a file of each that is loaded when it is needed. */
const files: Record<string, () => Promise<{ default: unknown }>> = {
  ar: () => import('./ar.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  he: () => import('./he.json', { with: { type: 'json' } }),
  it: () => import('./it.json', { with: { type: 'json' } }),
  ja: () => import('./ja.json', { with: { type: 'json' } }),
  ko: () => import('./ko.json', { with: { type: 'json' } }),
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  pl: () => import('./pl.json', { with: { type: 'json' } }),
  pt: () => import('./pt.json', { with: { type: 'json' } }),
  sv: () => import('./sv.json', { with: { type: 'json' } }),
  zh: () => import('./zh.json', { with: { type: 'json' } }),
  'zh-Hant': () => import('./zh-Hant.json', { with: { type: 'json' } }),
};

/** @see `fetch-texts.ts` */
export const fetchTexts: typeof fetchFromService = async (tag) => (await files[tag]!()).default;
