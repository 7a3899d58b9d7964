import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What a file imports that starts a browser or a process, or has hundreds of histories. */
const SLOW = /from '[^']*\/(chromium|button-shop|shop|own-service|built|walks\/walker)\.ts'/;

/** Files that take long come first: begun last, one of them keeps everybody waiting while the other workers have nothing to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = new Map(sorted.map((file) => [file, SLOW.test(readFileSync(file.moduleId, 'utf8'))]));
    return [...sorted.filter((file) => isSlow.get(file)), ...sorted.filter((file) => !isSlow.get(file))];
  }
}
