/** The recipes in TypeScript, checked as strictly as a shop can, against the types that the package publishes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildService, buildWidget } from '../support/built.ts';

// Longer than a hook may take: both may have to be built.
beforeAll(() => Promise.all([buildService(), buildWidget()]), 120_000);

it('Recipes mean what the types of the package mean', async () => {
  const words = ['node_modules/typescript/bin/tsc', '-p', 'widget/recipes/tsconfig.json'];
  const { stdout } = await promisify(execFile)(process.execPath, words).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
