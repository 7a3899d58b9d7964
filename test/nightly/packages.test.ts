import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';
import { extract, packTarball, temporaryFolder } from '../support/packages.ts';

describe.each(['client', 'button', 'service'] as const)('The package of the %s', (name) => {
  it('has no errors, warnings or suggestions of publint', async () => {
    const folder = temporaryFolder();
    await extract(await packTarball(name), folder);
    const { messages } = await publint({ pkgDir: folder, strict: true, level: 'suggestion' });
    expect(messages).toEqual([]);
  });

  it.skipIf(name === 'service')('has types that TypeScript finds with every module resolution', async () => {
    const packed = createPackageFromTarballData(new Uint8Array(readFileSync(await packTarball(name))));
    const { types, ...result } = await checkPackage(packed, { excludeEntrypoints: [/\.(css|json)$/] });
    expect(types).toMatchObject({ kind: 'included' });
    expect('problems' in result && result.problems).toEqual([]);
  });
});
