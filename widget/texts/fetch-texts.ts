import { script } from '../script.ts';

/** The file of a language, from beside the script. `bundled-texts.ts` stands for this where a shop bundles the files. */
export async function fetchTexts(tag: string): Promise<unknown> {
  const address = new URL(`texts/${tag}.json`, script);
  const answer = await fetch(address, { credentials: 'omit', signal: AbortSignal.timeout(3_000) });
  return answer.json();
}
