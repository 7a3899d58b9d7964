/**
 * Runs benchmarks one after the other and prints the figures of all of them in one table. Fails if a goal was missed or a benchmark
 * did not finish.
 *
 * `npm run bench [-- FILE ...]`; without a file, the benchmarks listed here. `npm run bench -- compare REV` compares with another revision.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare } from './compare.ts';
import { type Figure, goalOf, isMet, MISSED, valueOf } from './figures.ts';

const benchmarks = ['merchant-api', 'checkout-pages', 'anonymous-requests', 'durable-writes', 'statements', 'widget'];
const listed = benchmarks.map((name) => fileURLToPath(new URL(`./${name}.bench.ts`, import.meta.url)));
const [first, ...rest] = process.argv.slice(2);
if (first === 'compare') await compare(rest);
else await runAll(first === undefined ? listed : [first, ...rest]);

async function runAll(files: readonly string[]) {
  const rows = [];
  for (const file of files) rows.push(...(await rowsOf(file)));
  console.table(rows);
  if (rows.some(({ met }) => met === 'no')) process.exitCode = MISSED;
}

/** Runs one benchmark and returns its rows of the table. */
async function rowsOf(file: string) {
  const benchmark = basename(file, '.bench.ts');
  console.log(`\n${benchmark}`);
  const figures: Figure[] = [];
  // JSON, the default, has no NaN.
  const child = fork(file, { serialization: 'advanced' });
  child.on('message', (figure) => figures.push(figure as Figure));
  const [exitCode, signal] = await once(child, 'close');
  const reported = figures.map((figure) => {
    const goal = goalOf(figure);
    return { benchmark, what: figure.what, figure: valueOf(figure), goal, met: goal && (isMet(figure) ? 'yes' : 'no') };
  });
  const isFinished = exitCode === (figures.every(isMet) ? 0 : MISSED);
  if (isFinished && figures.length > 0) return reported;
  const what = isFinished ? 'reported no figure' : `did not finish: ${signal ?? `exit code ${exitCode}`}`;
  return [...reported, { benchmark, what, figure: '', goal: '', met: 'no' }];
}
