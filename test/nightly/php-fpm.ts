import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onCleanup } from '../support/cleanup.ts';
import { freePort } from '../support/network.mjs';
import { ensureNginx } from '../support/nginx.mjs';
import { installSystemPackages } from '../support/system-packages.mjs';
import { until } from '../support/time.ts';

/** Packages put servers in the last folder, which is not on the PATH of every user. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** Returns the path of PHP-FPM, to whose name Debian adds the version. */
function findPhpFpm(): string | undefined {
  const programs = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((file) => [folder, file] as const),
  );
  const [folder, file] = programs.find(([, candidate]) => /^php-fpm[\d.]*$/.test(candidate)) ?? [];
  return folder && file && join(folder, file);
}

/** Returns the path of PHP-FPM, which is installed if it is missing. */
function ensurePhpFpm(): string {
  const found = findPhpFpm();
  if (found) return found;
  const packages = ['php-fpm'];
  installSystemPackages('PHP-FPM', { 'apt-get': packages, dnf: packages, pacman: packages });
  const installed = findPhpFpm();
  if (!installed) throw new Error('Expected PHP-FPM, but it could not be installed.');
  return installed;
}

/**
 * Serves every path by a PHP script under nginx and PHP-FPM, as most shops do, for the surrounding tests.
 *
 * @param variables - The environment of the script. PHP-FPM does not pass on any other.
 * @returns The URL of the server.
 */
export async function startPhpFpm(script: string, variables: Record<string, string> = {}): Promise<string> {
  const nginx = ensureNginx();
  const phpFpm = ensurePhpFpm();
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-php-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const port = await freePort();
  const socket = join(folder, 'php.sock');
  const log = join(folder, 'php.log');
  const environment = Object.entries(variables).map(([name, value]) => `env[${name}] = "${value}"`);
  const pool = inFolder(
    'php-fpm.conf',
    `[global]
error_log = ${log}
daemonize = no
[shop]
user = root
listen = ${socket}
pm = static
pm.max_children = 4
catch_workers_output = yes
php_admin_flag[display_errors] = off
php_admin_flag[log_errors] = on
${environment.join('\n')}
`,
  );
  const temporary = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  const server = inFolder(
    'nginx.conf',
    `daemon off;
master_process off;
error_log stderr;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${script};
      fastcgi_pass unix:${socket};
    }
  }
}
`,
  );
  const reach = (condition: () => boolean | Promise<boolean>) =>
    until(condition).catch((thrown: Error) => {
      throw new Error(`${thrown.message}\n${readFileSync(log, 'utf8')}`);
    });
  run(phpFpm, ['--fpm-config', pool, '--nodaemonize', '--allow-to-run-as-root']);
  await reach(() => existsSync(socket));
  run(nginx, ['-e', 'stderr', '-p', folder, '-c', server]);
  const url = `http://127.0.0.1:${port}`;
  await reach(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return url;
}

/** Runs a program until the end of the surrounding tests. */
function run(program: string, args: string[]): void {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  onCleanup(() => void child.kill('SIGTERM'));
}
