/** Recipes are copied and started with one command, `npm start`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { freePort } from '../support/network.mjs';
import { until } from '../support/time.ts';

const recipes = 'widget/recipes';

// The others need packages that only the nightly tests install.
it.each([
  ['html', '/product.html', 'Lounge chair'],
  ['react-19', '/main.tsx', 'VITE_FAIRTERM_KEY'],
])('The recipe %s starts with one command', async (name, path, content) => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-recipe-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const project = join(folder, name);
  for (const copied of [name, 'shop']) cpSync(join(recipes, copied), join(folder, copied), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ['start', '--', '--host', '127.0.0.1', '--port', new URL(url).port, '--strictPort'];
  const server = spawn('npm', args, { cwd: project, stdio: 'ignore', detached: true });
  onCleanup(async () => {
    process.kill(-server.pid!, 'SIGTERM');
    await once(server, 'close');
  });
  const served = () =>
    fetch(url + path).then(
      (response) => response.text(),
      () => '',
    );
  await until(async () => (await served()).includes(content));
});
