import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildProject } from '../support/process.ts';
import { createProject } from './project.ts';

beforeAll(() => buildProject());

it('The recipes compile in strict TypeScript with the published types', async () => {
  const project = createProject();
  const options = ['-p', join(project, 'widget/recipes/tsconfig.json'), '--preserveSymlinks'];
  const compile = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', ...options]);
  const { stdout } = await compile.catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
