/** `npm run -s size`: what each file of the widget weighs as the sources stand. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliBytes, buildAside } from './widget-build.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fairterm-size-'));
try {
  await buildAside(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  for (const name of files.toSorted()) {
    const file = join(folder, name);
    console.log(
      `${name.padEnd(28)} ${String(statSync(file).size).padStart(7)} bytes ${String(brotliBytes(file)).padStart(7)} brotli`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
