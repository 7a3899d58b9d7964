import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

describe('The published package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-package-'));
  let tarball: string;
  beforeAll(async () => {
    await run('npm', ['pack', '--offline', '--pack-destination', folder]);
    tarball = join(folder, readdirSync(folder)[0]!);
    mkdirSync(join(folder, 'package'));
    await run('tar', ['-xzf', tarball, '-C', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has no errors, warnings or suggestions of publint', async () => {
    const { messages } = await publint({ pkgDir: join(folder, 'package'), strict: true, level: 'suggestion' });
    expect(messages).toEqual([]);
  });

  it('has types that TypeScript finds with every supported module resolution', async () => {
    const packed = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
    const { types, ...result } = await checkPackage(packed, { excludeEntrypoints: [/\.(css|json)$/] });
    // The package has no CommonJS build and does not support the module resolution of Node 10.
    const unsupported = new Set(['node10', 'node16-cjs']);
    const problems = 'problems' in result ? result.problems : [];
    expect(types).toMatchObject({ kind: 'included' });
    expect(problems.filter((problem) => !('resolutionKind' in problem && unsupported.has(problem.resolutionKind)))).toEqual([]);
  });
});
