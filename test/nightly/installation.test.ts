/**
 * The files with which operators install the service: the image, the containers, the unit of systemd and the proxies. Nothing here needs a
 * daemon of Docker: the steps of the Dockerfile run in an empty folder, as another user.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../server/setup/project.mjs';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { codeBlock, installationGuide } from '../support/docs.ts';
import { certificate, exchange } from '../support/http.ts';
import { freePort } from '../support/network.mjs';
import { buildProject, cli, startReachableProcess, startServiceProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { ensurePrograms } from '../support/system-packages.mjs';
import { until } from '../support/time.ts';

const run = promisify(execFile);
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** A folder that other users can enter. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-installation-'));
  chmodSync(folder, 0o755);
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Downloads a release of Node.js with npm, and returns the path of its binary. */
async function nodeRelease(release: string): Promise<string> {
  const args = ['--yes', '--package', `node@${release}`, '--', 'node', '--print', 'process.execPath'];
  return (await run('npx', args)).stdout.trim();
}

/** Returns whether the path of a file in the repository matches a pattern of the ignored files. */
function isIgnored(path: string): boolean {
  const patterns = read('server/setup/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const toExpression = (pattern: string) =>
    pattern
      .replaceAll('.', '\\.')
      .replace('**/', '(.*/)?')
      .replace(/(?<!\.)\*/, '[^/]*');
  return patterns.some((pattern) => new RegExp(`^${toExpression(pattern)}(/|$)`).test(path));
}

/** The user of the image. */
const user = { uid: 1000, gid: 1000 };

/** A stage of the Dockerfile. Its files are in a folder. */
class Stage {
  readonly root = emptyFolder();
  readonly env: Record<string, string> = {};
  workdir = '/';
  /** The values of instructions that do not run while the image is built. */
  readonly metadata: Record<string, string> = {};

  /** The path of a file of the image. */
  path(path: string): string {
    return join(this.root, resolve(this.workdir, path));
  }

  async own(): Promise<void> {
    await run('chown', ['-R', `${user.uid}:${user.gid}`, this.root]);
  }
}

/** Runs the steps of the Dockerfile with the release of Node that it names, and returns its last stage. */
async function buildImage(): Promise<Stage> {
  const tools = emptyFolder();
  const stages = new Map<string, Stage>();
  // The registry may be behind a proxy of this machine's network.
  const certificates = (await run('npm', ['config', 'get', 'cafile'])).stdout.trim();
  let stage!: Stage;
  const code = read('server/setup/Dockerfile').replaceAll(/^#.*\n/gm, '');
  for (const [, instruction, value = ''] of code.matchAll(/^([A-Z]+) (.*)$/gm)) {
    const [first = '', second = ''] = value.split(' ');
    if (instruction === 'FROM') {
      stage = new Stage();
      stages.set(value.split(' AS ')[1] ?? '', stage);
      const [, release] = /^node:(\d+)-/.exec(value)!;
      if (!existsSync(join(tools, 'node'))) linkSync(await nodeRelease(release!), join(tools, 'node'));
      stage.env['PATH'] = `${tools}:${process.env['PATH']}`;
      stage.env['HOME'] = join(stage.root, 'tmp');
      mkdirSync(stage.env['HOME']);
      if (certificates !== 'null') stage.env['npm_config_cafile'] = certificates;
    } else if (instruction === 'WORKDIR') {
      stage.workdir = value;
      mkdirSync(stage.path('.'), { recursive: true });
    } else if (instruction === 'ENV') {
      const [, name, content] = /^(\w+)=(.*)$/.exec(value)!;
      stage.env[name!] = content!;
    } else if (instruction === 'COPY' && value === '. .') {
      const filter = (path: string) => path === projectRoot || !isIgnored(relative(projectRoot, path));
      cpSync(projectRoot, stage.path('.'), { recursive: true, filter });
    } else if (instruction === 'COPY') {
      const [, name, source, target] = /^--from=(\w+) (\S+) (\S+)$/.exec(value)!;
      cpSync(stages.get(name!)!.path(source!), stage.path(target!), { recursive: true, verbatimSymlinks: true });
    } else if (instruction === 'RUN') {
      await stage.own();
      await run('sh', ['-c', value], { ...user, cwd: stage.path('.'), env: stage.env, maxBuffer: 2 ** 26 });
    } else if (/^(USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/.test(instruction!)) {
      stage.metadata[instruction!] = value;
    } else {
      throw new Error(`Expected an instruction that this test executes, but received ${instruction} ${first} ${second}`);
    }
  }
  return stage;
}

describe('The Dockerfile', () => {
  it('builds an image with the production packages, which serves as another user than root and writes only to its volume', async () => {
    const image = await buildImage();
    const { USER, VOLUME, HEALTHCHECK, ENTRYPOINT, CMD } = image.metadata;
    expect(USER).toBe(`${user.uid}:${user.gid}`);
    const packages = image.path('/opt/fairterm/node_modules');
    expect(existsSync(join(packages, 'koa'))).toBe(true);
    // A development package, and the result of a compiler.
    for (const absent of ['typescript', 'better-sqlite3/build'])
      expect([absent, existsSync(join(packages, absent))]).toEqual([absent, false]);

    // All else belongs to root.
    await run('chown', ['-R', '0:0', image.root]);
    await run('chown', ['-R', USER!, image.path(VOLUME!)]);
    const env = { ...image.env, HOST: '127.0.0.1', PORT: String(await freePort()) };
    const options = { ...user, cwd: image.path('.'), env };
    /** The arguments of a command of the image, whose paths are absolute. */
    const inImage = (words: string) =>
      (JSON.parse(words) as string[]).map((word) => (word.startsWith('/') ? image.path(word) : word));
    const isHealthy = async () => {
      const [command, ...args] = inImage(HEALTHCHECK!.split(' CMD ')[1]!);
      return run(command!, args, options).then(
        () => true,
        () => false,
      );
    };
    const [command, ...args] = inImage(ENTRYPOINT!);
    expect((await run(command!, [...args, '--version'], options)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await isHealthy()).toBe(false);
    const service = spawn(command!, [...args, ...inImage(CMD!)], { ...options, stdio: 'inherit' });
    onCleanup(() => service.kill('SIGKILL'));
    await until(() => isHealthy());
    expect(existsSync(join(image.path(VOLUME!), 'data/sandbox.db'))).toBe(true);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  }, 1_200_000);

  it.each([
    ['.git/config', 'ignored'],
    ['server/setup/fairterm.env', 'ignored'],
    ['node_modules/koa/package.json', 'ignored'],
    ['shared/client/dist/index.js', 'ignored'],
    ['server/cli.ts', 'sent to the build'],
    ['server/base/config/env.ts', 'sent to the build'],
  ])('has %s %s', (path, expected) => {
    expect(isIgnored(path)).toBe(expected === 'ignored');
  });
});

describe('The containers', () => {
  it('have a valid description, which names files that exist', async () => {
    ensurePrograms({ 'docker-compose': 'docker-compose' });
    const settings = join(emptyFolder(), 'fairterm.env');
    writeFileSync(settings, 'MODE=sandbox\n');
    const file = join(projectRoot, 'server/setup/compose.yaml');
    const env = { PATH: process.env['PATH'], FAIRTERM_ENV: settings, FAIRTERM_DOMAIN: 'shop.example' };
    const { stdout } = await run('docker-compose', ['--file', file, '--profile', 'monitoring', 'config'], { env });
    expect(stdout).toContain('FAIRTERM_DOMAIN: shop.example');
    expect(stdout).toContain('MODE: sandbox');
    const mounted = [...stdout.matchAll(/^ *- (\/\S+?):\S+:\w+$/gm)].map(([, path]) => path!);
    expect(mounted).toContain(join(projectRoot, 'server/docs/proxy/Caddyfile'));
    expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('The unit of systemd', () => {
  const unit = read('server/setup/fairterm.service');
  /** Writes the unit as an operator installs it, with the Node of this machine. */
  const install = (name: string) => {
    const file = join(emptyFolder(), name);
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    return file;
  };

  it.each(['fairterm.service', 'fairterm@.service'])('is valid as %s', async (name) => {
    ensurePrograms({ 'systemd-analyze': 'systemd' });
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', install(name)]);
    expect([stdout, stderr]).toEqual(['', '']);
  });

  it('is exposed to little: at most 1.5 of 10', async () => {
    ensurePrograms({ 'systemd-analyze': 'systemd' });
    const { stdout } = await run('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=15',
      install('fairterm.service'),
    ]);
    expect(stdout).toMatch(/Overall exposure level for fairterm\.service: [01]\.\d/);
  });

  it('waits until the service is ready, which tells systemd', async () => {
    expect(unit).toMatch(/^Type=notify\nNotifyAccess=all$/m);
    ensurePrograms({ 'systemd-notify': 'systemd' });
    await buildProject();
    const path = join(emptyFolder(), 'notify');
    // Node.js cannot listen for datagrams on a Unix socket.
    const listen = 'import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1])';
    const receiver = spawn('python3', ['-c', `${listen}; print(s.recv(4096).decode())`, path]);
    const received = readAll(receiver.stdout);
    await until(() => existsSync(path));
    const service = await startReachableProcess(await createDatabaseUrl('sqlite'), { NOTIFY_SOCKET: path });
    expect(await received).toContain('READY=1');
    expect(service.stderr()).not.toContain('systemd was not told');
  });
});

describe('Caddy in front of a service', () => {
  /** The releases of Debian 12 and 13 are 2.6, whose names of the buffers are others. */
  const caddyfileFor = (version: string) =>
    version.replace(/^v/, '').startsWith('2.6.')
      ? read('server/docs/proxy/Caddyfile')
          .replace('request_buffers 2MB', 'buffer_requests')
          .replace('response_buffers 2MB', 'buffer_responses\n\t\t\tmax_buffer_size 2MB')
      : read('server/docs/proxy/Caddyfile');

  it('accepts the configuration, passes on requests, and responds in the format of the service otherwise', async () => {
    ensurePrograms({ caddy: 'caddy' });
    const service = await startService(undefined, { trustProxy: true });
    const merchant = await service.createMerchant();
    const folder = emptyFolder();
    const file = join(folder, 'Caddyfile');
    const httpPort = await freePort();
    const httpsPort = await freePort();
    const { stdout: version } = await run('caddy', ['version']);
    const options = `admin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1\n`;
    const tls = `\ttls ${certificate.certFile} ${certificate.keyFile}\n`;
    const code = caddyfileFor(version);
    const adapted = code.replace('{\n', `{\n\t${options}`).replace('\t# For the operator', `${tls}\t# For the operator`);
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      FAIRTERM_DOMAIN: 'localhost',
      FAIRTERM_ADDRESS: new URL(service.publicUrl).host,
    };
    writeFileSync(file, code);
    await run('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env });
    writeFileSync(file, adapted);
    const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
    onCleanup(() => caddy.kill('SIGKILL'));

    const send = async (line: string, headers: string[] = [], port = httpsPort) => {
      const bytes = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
      return (await exchange(port, bytes, port === httpsPort ? { tls: { ca: certificate.ca } } : {})).responses[0]!;
    };
    await until(() => send('GET /healthz').catch(() => undefined));
    const authorization = `Authorization: Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
    expect(await send('GET /carts', [authorization, 'X-Forwarded-Proto: http'])).toMatchObject({
      status: 200,
      body: { carts: [] },
    });
    expect(await send('GET /carts', [], httpPort)).toMatchObject({ status: 403, body: { code: 'https-required' } });
    expect(await send('GET /readyz')).toMatchObject({ status: 404, body: { code: 'unknown-path' } });
    await service.close();
    expect(await send('GET /carts', [authorization])).toMatchObject({ status: 502, body: { code: 'fault' } });
  });
});

describe('The guide', () => {
  /** Programs that change the machine, or need a daemon that no test has. Each prints its arguments. */
  const replaced = [
    'git',
    'npm',
    'ln',
    'useradd',
    'chown',
    'systemctl',
    'journalctl',
    'createuser',
    'createdb',
    'curl',
    'docker',
    'rm',
    'nginx',
    'npx',
  ];
  const prelude = [
    ...replaced.map((name) => `${name}() { echo ${name} "$@"; }`),
    // Without the user and the owner. The function of the guide has the name of a program.
    'sudo() { while [[ $1 == -* ]]; do [ $1 != -u ] || shift; shift; done; if [ $1 = fairterm ]; then command "$@"; else "$@"; fi; }',
    'install() { command install --directory --mode=0700 "${@: -2}"; }',
    'set -e',
  ].join('\n');

  it('builds with the steps of the image', () => {
    const steps = [...read('server/setup/Dockerfile').matchAll(/^RUN (npm .*)$/gm)].map(([, step]) => step);
    expect(codeBlock(installationGuide, 'build')).toContain(`\n${steps.join(' && ')}\n`);
  });

  it('has commands that install the files and start the service', async () => {
    const root = emptyFolder();
    for (const path of ['opt', 'etc/systemd/system', 'etc/caddy', 'etc/nginx/conf.d', 'var/lib'])
      mkdirSync(join(root, path), { recursive: true });
    for (const name of ['fairterm-0.1.0', 'fairterm']) symlinkSync(projectRoot, join(root, 'opt', name));
    // Without the MODE that vitest sets.
    const programs = emptyFolder();
    symlinkSync(cli, join(programs, 'fairterm'));
    const env: NodeJS.ProcessEnv = { PATH: `${programs}:${process.env['PATH']}` };
    const shell = async (...names: string[]) => {
      const code = names
        .map((name) => codeBlock(installationGuide, name))
        .join('\n')
        .replaceAll(/(?<=[ =:]|^)\/(?=(opt|etc|var|usr)\/)/gm, `${root}/`);
      return (await run('bash', ['-c', `${prelude}\n${code}`], { cwd: projectRoot, env })).stdout;
    };
    expect(await shell('build')).toContain('npm prune --omit=dev --ignore-scripts\n');
    expect(await shell('user')).toContain('useradd --system');
    // As an operator edits the file.
    const settings = join(root, 'etc/fairterm/env');
    const edited = codeBlock(installationGuide, 'settings')
      .trim()
      .split('\n')
      .reduce(
        (text, line) => {
          const [name] = line.split('=');
          return text.replace(new RegExp(`^#?${name}=.*$`, 'm'), line.replace('/var/lib', `${root}/var/lib`));
        },
        readFileSync(settings, 'utf8'),
      );
    writeFileSync(settings, edited);
    expect(await shell('start')).toContain('systemctl enable --now fairterm\n');
    expect(await shell('caddy')).toContain('systemctl reload caddy\n');
    expect(readFileSync(join(root, 'etc/caddy/Caddyfile'), 'utf8')).toContain(':loans.example}');
    // Nothing is reached at the domain of the example.
    await expect(shell('command', 'check')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^PUBLIC_URL +file +https:\/\/loans\.example$/m),
    });
    await run(process.execPath, [cli, 'migrate', '--env', settings], { cwd: root, env });
    const printed = await shell('command', 'merchant');
    expect(printed).toMatch(/ft_sandbox_key_/);
    env['MERCHANT'] = /^merchantId +(\S+)$/m.exec(printed)![1];
    expect(await shell('command', 'callback-secret')).toMatch(/^whsec_/);
    expect(await shell('postgres')).toContain('createdb');
    expect(await shell('processes')).toContain('systemctl enable --now fairterm@4000 fairterm@4001\n');
    const nginx = readFileSync(join(root, 'etc/nginx/conf.d/fairterm.conf'), 'utf8');
    expect(nginx).toMatch(/^ {4}server 127\.0\.0\.1:4001 max_fails=0;$/m);
    expect(nginx).toContain('server_name loans.example;');
    for (const name of ['fairterm.service', 'fairterm@.service'])
      expect(existsSync(join(root, 'etc/systemd/system', name))).toBe(true);
    for (const name of ['restart', 'upgrade', 'tarball', 'docker', 'compose'])
      expect([name, await shell(name)]).not.toEqual([name, '']);
  }, 600_000);
});

describe('OpenTelemetry', () => {
  it('is installed beside the service and loaded before it, and records the attributes that the guide removes', async () => {
    const folder = join(emptyFolder(), 'otel');
    const inFolder = (name: string) => codeBlock('server/docs/monitoring.md', name).replaceAll('/opt/fairterm-otel', folder);
    await run('bash', ['-ec', inFolder('traces')]);
    const variables = [...inFolder('traces-unit').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '));
    const service = startServiceProcess(await createDatabaseUrl('sqlite'), {
      ...Object.fromEntries(variables.map((variable) => variable.split(/=(.*)/))),
      OTEL_TRACES_EXPORTER: 'console',
      PORT: String(await freePort()),
    });
    const [, address] = await until(() => / serves (\S+)/.exec(service.stderr()));
    await fetch(`${address}/healthz?order=1`);
    for (const attribute of ['url.path', 'url.query', 'client.address', 'user_agent.original'])
      await until(() => service.stdout().includes(`'${attribute}': `));
  }, 600_000);
});
