/** `npm run -s size`: the size of each file that pages load, as built from the sources. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliBytes, buildWidget } from './widget-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairterm-size-'));
try {
  await buildWidget(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^([\w.-]+|texts\/[\w-]+)\.(js|css|json)$/.test(name),
  );
  for (const name of files.toSorted()) {
    const file = join(folder, name);
    console.log(
      `${name.padEnd(28)} ${String(statSync(file).size).padStart(7)} bytes ${String(brotliBytes(file)).padStart(7)} brotli`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
