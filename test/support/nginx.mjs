import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot, SetupError } from '../../server/setup/project.mjs';
import { freePort } from './network.mjs';
import { installSystemPackages, isExecutable } from './system-packages.mjs';

const paths = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

/**
 * Returns the path of nginx, which is installed if it is missing.
 *
 * @returns {string}
 */
export function ensureNginx() {
  if (!paths.some(isExecutable)) {
    installSystemPackages('nginx, for the tests,', {
      'apt-get': ['nginx-light'],
      apk: ['nginx'],
      dnf: ['nginx'],
      pacman: ['nginx'],
    });
  }
  const found = paths.find(isExecutable);
  if (found) return found;
  throw new SetupError('The tests of the proxy need nginx. Install it, and try again.');
}

/**
 * Starts nginx with `server/docs/proxy/nginx.conf` in front of a service. Everything around it is as on Debian, where nginx compresses HTML.
 *
 * @param {{ servicePort: number, secondPort?: number, certFile: string, keyFile: string }} options `secondPort`: of another process
 * @returns {Promise<{ port: number, plainPort: number, readLogs: () => string, stop: () => Promise<void> }>} the ports of HTTPS and of plain
 *   HTTP, and functions that return what nginx has logged and that stop it
 */
export async function startNginx({ servicePort, secondPort, certFile, keyFile }) {
  const nginx = ensureNginx();
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-nginx-'));
  // The workers run as another user than root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const plainPort = await freePort();
  const replacements = [
    [/listen 80;/, `listen 127.0.0.1:${plainPort};`],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port} ssl;`],
    [/ *listen \[::\].*\n/g, ''],
    [/server 127\.0\.0\.1:4000/, `server 127.0.0.1:${servicePort}`],
    ...(secondPort === undefined
      ? []
      : [/** @type {const} */ ([/# server 127\.0\.0\.1:4001/, `server 127.0.0.1:${secondPort}`])]),
    [/\/etc\/ssl\/fairterm\/fullchain\.pem/, certFile],
    [/\/etc\/ssl\/fairterm\/key\.pem/, keyFile],
    [/\/var\/log\/nginx/, folder],
  ];
  const site = replacements.reduce(
    (/** @type {string} */ text, [pattern, value]) => text.replace(pattern, () => String(value)),
    readFileSync(join(projectRoot, 'server/docs/proxy/nginx.conf'), 'utf8'),
  );
  const stores = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 4096; }
http {
  gzip on;
  ${stores.map((store) => `${store}_temp_path ${folder}/${store};`).join('\n  ')}
  ${site}
}`,
  );
  const checked = spawnSync(nginx, ['-t', '-q', '-c', file, '-e', join(folder, 'error.log')], { encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`nginx rejects the configuration: ${checked.stderr}`);
  const server = spawn(nginx, ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // Runs if the test run ends without calling `stop`.
  const abandon = () => {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const stop = async () => {
    process.off('exit', abandon);
    abandon();
    await ended;
  };
  await untilListening(plainPort);
  const readLogs = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  return { port, plainPort, readLogs, stop };
}

/** @param {number} port */
async function untilListening(port) {
  for (;;) {
    const isListening = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isListening) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
