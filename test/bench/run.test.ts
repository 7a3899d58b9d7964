import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const runner = fileURLToPath(new URL('./run.mjs', import.meta.url));
const figures = JSON.stringify(new URL('./figures.mjs', import.meta.url).href);

describe('The benchmark runner', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairterm-bench-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const benchmark = (name: string, script: string) => {
    const file = join(folder, `${name}.bench.mjs`);
    writeFileSync(file, `import { reportFigure } from ${figures};\n${script}`);
    return file;
  };
  const node = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  /** The row of the summary table that mentions `what`, as its cells. */
  const rowOf = (output: string, what: string) => {
    const [row] = output.split('\n').filter((line) => line.startsWith('│') && line.includes(what));
    return row?.split('│').flatMap((cell) => cell.trim().replaceAll("'", '') || []);
  };

  it('runs every benchmark after a missed goal, prints all figures in one table, and fails', () => {
    const slow = benchmark('slow', `reportFigure({ what: 'a read', value: 7.25, unit: 'ms', atMost: 5 });`);
    const fast = benchmark(
      'fast',
      `reportFigure({ what: 'a write', value: 90, unit: '/s', atLeast: 50 });
       reportFigure({ what: 'memory', value: 12, unit: 'MiB' });`,
    );
    const { status, output } = node(runner, slow, fast);
    expect(rowOf(output, 'a read')?.slice(1)).toEqual(['slow', 'a read', '7.25 ms', 'at most 5', 'no']);
    expect(rowOf(output, 'a write')?.slice(1)).toEqual(['fast', 'a write', '90 /s', 'at least 50', 'yes']);
    expect(rowOf(output, 'memory')?.slice(1)).toEqual(['fast', 'memory', '12 MiB']);
    expect(status).toBe(2);
  });

  it('succeeds when every goal is met', () => {
    const met = benchmark('met', `reportFigure({ what: 'a read', value: 5, unit: 'ms', atMost: 5 });`);
    expect(node(runner, met).status).toBe(0);
  });

  it.each([
    ['throws', 'did not finish: exit code 1', `throw new Error('no database');`],
    [
      'throws after a missed goal',
      'did not finish: exit code 1',
      `reportFigure({ what: 'x', value: 7, unit: 'ms', atMost: 5 });\nthrow new Error('no database');`,
    ],
    ['ends with a failure', 'did not finish: exit code 3', 'process.exitCode = 3;'],
    ['reports no figure', 'reported no figure', ''],
    ['reports a figure that is not a number', 'NaN ms', `reportFigure({ what: 'a read', value: NaN, unit: 'ms', atMost: 5 });`],
    ['is killed', 'did not finish: SIGKILL', `process.kill(process.pid, 'SIGKILL');`],
  ])('fails for a benchmark that %s, and runs the next one', (_case, what, script) => {
    const broken = benchmark('broken', script);
    const next = benchmark('next', `reportFigure({ what: 'a write', value: 1, unit: 'ms', atMost: 5 });`);
    const { status, output } = node(runner, broken, next);
    expect(rowOf(output, what)?.at(-1)).toBe('no');
    expect(rowOf(output, 'a write')?.at(-1)).toBe('yes');
    expect(status).toBe(2);
  });

  it('is not needed: a benchmark prints its own figures and fails alone', () => {
    const file = benchmark('alone', `reportFigure({ what: 'a read', value: 7, unit: 'ms', atMost: 5 });`);
    const { status, output } = node(file);
    expect(output).toContain('a read: 7 ms, goal at most 5: missed');
    expect(status).toBe(2);
  });
});
