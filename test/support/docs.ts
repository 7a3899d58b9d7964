/** The guides and their code blocks, and the execution of the samples of `server/docs/code-samples.md`. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Marked, type Tokens } from 'marked';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { readDocumentation } from '../../server/http/openapi/docs/pages.ts';
import { renderHtml } from '../../server/http/pages/html.ts';
import type { StartedSandbox } from './process.ts';
import { installSystemPackages, isOnPath } from './system-packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The guides whose code blocks tests execute. */
export const guides = [
  'README.md',
  ...readdirSync(join(root, 'server/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `server/docs/${name}`),
  'shared/client/README.md',
  'widget/README.md',
  'widget/recipes/README.md',
  'widget/recipes/woocommerce/README.md',
  'demo/README.md',
  'test/README.md',
];

export interface CodeBlock {
  language: string;
  /** The word after the language; empty for a block without a name. */
  name: string;
  code: string;
}

export function readGuide(guide: string): string {
  return readFileSync(join(root, guide), 'utf8');
}

/** Returns the code blocks of a guide. An indented block has neither a language nor a name. */
export function codeBlocks(guide: string): CodeBlock[] {
  const marked = new Marked();
  const blocks: CodeBlock[] = [];
  void marked.walkTokens(marked.lexer(readGuide(guide)), (token) => {
    if (token.type !== 'code') return;
    const { text, lang = '' } = token as Tokens.Code;
    const [language = '', name = ''] = lang.split(' ');
    blocks.push({ language, name, code: `${text}\n` });
  });
  return blocks;
}

/** Returns the code of the block with this name, in any language by default. @throws Error - the guide has no such block. */
export function codeBlock(guide: string, name: string, language?: string): string {
  const block = codeBlocks(guide).find(
    (candidate) => candidate.name === name && (language === undefined || candidate.language === language),
  );
  if (!block) throw new Error(`${guide}: expected a ${language ?? 'code'} block named "${name}", but found none`);
  return block.code;
}

export const firstHour = 'server/docs/first-hour.md';
export const installationGuide = 'server/docs/installation.md';
export const samplesGuide = 'server/docs/code-samples.md';
export type Language = 'sh' | 'ts' | 'py' | 'php';

const run = promisify(execFile);

/** Installs an interpreter if it is missing. */
export function ensureCommand(command: 'python3' | 'php'): void {
  const packages = {
    python3: { 'apt-get': ['python3'], apk: ['python3'], dnf: ['python3'], pacman: ['python'] },
    php: { 'apt-get': ['php-cli'], apk: ['php'], dnf: ['php-cli'], pacman: ['php'] },
  };
  if (!isOnPath(command)) installSystemPackages(command, packages[command]);
}

const commands: Record<Language, (code: string) => Promise<[command: string, args: string[]]>> = {
  sh: (code) => Promise.resolve(['bash', ['-c', code]]),
  ts: async (code) => [process.execPath, ['--input-type=module', '--eval', await compileSample(code)]],
  py: (code) => Promise.resolve(['python3', ['-c', code]]),
  php: (code) => Promise.resolve(['php', ['-r', code.replace('<?php', '')]]),
};

/** Code that verifies the callback in the environment variables `BODY` and `HEADERS`, and prints its transaction id. */
const verification: Record<Exclude<Language, 'sh'>, string> = {
  ts: `console.log((await callbackOf(Buffer.from(process.env.BODY), new Headers(JSON.parse(process.env.HEADERS)))).transactionId);`,
  py: `print(callback_of(os.environ['BODY'].encode(), json.loads(os.environ['HEADERS']))['transactionId'])`,
  php: `echo callbackOf(getenv('BODY'), json_decode(getenv('HEADERS'), true))['transactionId'];`,
};

/** Returns the output of a program, which may fail. */
async function outputOf(program: Promise<string>): Promise<string> {
  const { stdout, stderr } = await program.then(
    (printed) => ({ stdout: printed, stderr: '' }),
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
}

/** Runs the samples in a language against the service as one program, from top to bottom, and asserts what it prints. */
export async function expectSamplesToWork(language: Language, { environment, withPorts }: StartedSandbox): Promise<void> {
  /** Runs code and returns what it prints. */
  const printed = async (code: string, variables: Record<string, string> = {}) => {
    const [command, args] = await commands[language](withPorts(code));
    return (await run(command, args, { env: { ...environment, ...variables } })).stdout.trim();
  };
  const call = async (path: string, body: unknown) => {
    const response = await fetch(withPorts(`http://localhost:4000${path}`), {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${environment['KEY']}:${environment['SECRET']}`)}` },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { id: cartId } = await call('/carts', { options: { orderRef: 'ORDER-1', customTotal: 129_900 } });
  const { transactionId } = await call('/sandbox/checkouts', { cartId });

  const samples = codeBlocks(samplesGuide).filter((candidate) => candidate.language === language);
  const program = samples.map(({ code }) => code).join('\n');
  const expected = [
    '$59.94',
    '/c/',
    /PENDING[^]*ORDER-1[^]*129900/,
    'AUTHORIZED',
    '119900',
    'SETTLED',
    '117400',
    'CHECKOUT_COMPLETED',
  ];
  let rest = await printed(language === 'sh' ? program.replaceAll('\ncurl', '\necho; curl') : program, {
    TRANSACTION: transactionId,
  });
  for (const output of expected) {
    const position = typeof output === 'string' ? rest.indexOf(output) : rest.search(output);
    expect([output, position >= 0]).toEqual([output, true]);
    rest = rest.slice(position + 1);
  }

  if (language !== 'sh') {
    const secret = environment['CALLBACK_SECRETS']!.split(',')[0]!;
    const body = JSON.stringify({ transactionId, orderRef: 'ORDER-1' });
    const block = (name: string) => codeBlock(samplesGuide, name, language);
    const code = `${block('setup')}\n${block('verify-callback')}\n${verification[language]}`;
    const headersAt = (sentAt: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
    });
    const verified = (
      sentAt: Date,
      received: string,
      changes: Record<string, string> = {},
      headers: object = headersAt(sentAt),
    ) => printed(code, { BODY: received, HEADERS: JSON.stringify(headers), ...changes });
    expect(await verified(new Date(), body)).toBe(transactionId);
    // Servers such as PHP-FPM capitalize the names.
    const capitalize = (name: string) => name.replaceAll(/\b./g, (letter) => letter.toUpperCase());
    const capitalized = Object.fromEntries(
      Object.entries(headersAt(new Date())).map(([name, value]) => [capitalize(name), value]),
    );
    expect(await verified(new Date(), body, {}, capitalized)).toBe(transactionId);
    const { 'webhook-id': _, ...incomplete } = headersAt(new Date());
    expect(await outputOf(verified(new Date(), body, {}, incomplete))).toMatch(/webhook-id: expected the header/);
    // A signature by an empty key could be forged.
    const withoutKey = await outputOf(verified(new Date(), body, { CALLBACK_SECRETS: 'whsec_' }));
    expect(withoutKey).toMatch(/xpected (each callback secret to be )?whsec_ and/);
    const forged = await outputOf(verified(new Date(), body.replace('ORDER-1', 'ORDER-2')));
    expect(forged).toMatch(/(CallbackError|ValueError|RuntimeException): webhook-signature/);
    const old = await outputOf(verified(new Date(Date.now() - 600_000), body));
    expect(old).toMatch(/(CallbackError|ValueError|RuntimeException): webhook-timestamp/);
  }
}

/** Returns a sample as JavaScript. */
async function compileSample(code: string): Promise<string> {
  // Imported here, because other users of this file do not need vite.
  const { transformWithOxc } = await import('vite');
  return (await transformWithOxc(code, 'sample.ts')).code;
}

/** A request of a sample of the API reference, as a server received it. */
interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Runs the samples of all operations of the API reference in a language, as one program, and returns the requests that they send. */
export async function requestsOfReference(language: Language): Promise<SentRequest[]> {
  const samples: string[] = [];
  const color = (code: string, codeLanguage: string) => {
    if (codeLanguage === language) samples.push(code.replace('<?php\n', ''));
    return '';
  };
  const { pages } = readDocumentation({ stylesheet: '', script: '', version: '', color }, 'sandbox');
  // Those of the guides, which are executed with the guide.
  samples.length = 0;
  for (const [path, page] of pages) if (path.startsWith('/docs/api/')) renderHtml(page());

  const received: SentRequest[] = [];
  const server = createServer((request, response) => {
    const record = (body: string) => {
      const { authorization, origin, 'fairterm-version': version } = request.headers;
      const isJson = body.startsWith('{');
      const parsed: unknown = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      received.push({ method: request.method!, url: request.url!, headers: { authorization, origin, version }, body: parsed });
      response.end('{}');
    };
    void textOf(request).then(record);
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const program = samples
    .map((code) => code.replaceAll('http://localhost:4000', `http://localhost:${port}`))
    .map((code) => (language === 'ts' ? `{\n${code}\n}` : code))
    .join('\n');
  const variables = [...program.matchAll(/\$([A-Z]+)|(?:environ\["|process\.env\.|getenv\(')([A-Z]+)/g)].map(
    ([, inShell, inProgram]) => inShell ?? inProgram!,
  );
  const env = { ...process.env, ...Object.fromEntries(variables.map((name) => [name, `${name.toLowerCase()}-1`])) };
  const [command, args] = await commands[language](program);
  await run(command, args, { env });
  server.close();
  return received;
}
