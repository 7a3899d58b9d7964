import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns what the lint of the tree reports about the body of a function. */
function lint(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sample.ts');
  writeFileSync(file, `export async function sample(f: any, g: any) {\n${body}\n}\n`);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  return spawnSync(process.execPath, [oxlint, '-c', join(root, '.oxlintrc.json'), file], { cwd: root, encoding: 'utf8' }).stdout;
}

const RULE = 'promises(await-at-once)';

describe('The lint', () => {
  it.each([
    ['is awaited after another one', 'const a = f(); const b = g(); return [await a, await b];'],
    ['is awaited in an object after another one', 'const a = f(), b = g(); return { a: await a, b: await b };'],
    ['is awaited after another call', 'const a = f(); await g(); await a;'],
    ['is awaited in a list after another call', 'const a = f.map(g); await g(); await Promise.all(a);'],
    ['is one of a list that is awaited after another call', 'const a = [f(), g()]; await g(); await Promise.all(a);'],
    ['may not be started at all', 'const a = f ? g() : undefined; await f; await a;'],
    ['is awaited together with another one, but too late', 'const a = f(); await g(); await Promise.all([a, g()]);'],
  ])('rejects a promise that %s', (_, body) => {
    expect(lint(body)).toContain(RULE);
  });

  it.each([
    ['are awaited together', 'const a = f(); const b = g(); return Promise.all([a, b]);'],
    ['are awaited together and then one by one', 'const a = f(), b = g(); await Promise.all([a, b]); return [await a, await b];'],
    ['are started one after the other', 'const a = await f(); const b = g(); return [a, await b];'],
    ['have a handler of their own', 'const a = f().catch(g); await g(); return a;\n await a;'],
    ['are awaited in another function', 'const a = f(); return async () => { await g(); const b = f(); await b; return a; };'],
  ])('accepts promises that %s', (_, body) => {
    expect(lint(body)).not.toContain(RULE);
  });
});
