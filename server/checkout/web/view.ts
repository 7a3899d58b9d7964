import { type Texts, texts } from '../texts/texts.ts';
import type { Way } from './way.ts';

/** What every page is handed beside what it shows: its sentences, and where its links lead. */
export interface View {
  t: Texts;
  way: Way;
  /** Nothing is real: pages say so, and how to try things out. */
  isSandbox: boolean;
}

export function viewAlong(way: Way, isSandbox: boolean): View {
  return { t: texts[way.lang], way, isSandbox };
}
