import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What a file imports that starts a browser or a process, or has hundreds of histories. */
const SLOW = /from '[^']*\/(chromium|button-shop|shop|own-service|built|walks\/walker)\.ts'/;

/** How much of all files the slow ones are spread over. */
const SPREAD = 0.75;

/**
 * Spreads the files that take long among the others, beginning with one: all of them at once are too much for a small machine, and
 * one that is begun last keeps everybody waiting.
 */
export class SlowAmongOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = sorted.map(({ moduleId }) => SLOW.test(readFileSync(moduleId, 'utf8')));
    const slow = sorted.filter((_file, index) => isSlow[index]);
    const others = sorted.filter((_file, index) => !isSlow[index]);
    const othersBetween = (SPREAD * others.length) / Math.max(1, slow.length);
    const spread = slow.flatMap((file, index) => [
      file,
      ...others.slice(Math.floor(index * othersBetween), Math.floor((index + 1) * othersBetween)),
    ]);
    return [...spread, ...others.slice(Math.floor(slow.length * othersBetween))];
  }
}
