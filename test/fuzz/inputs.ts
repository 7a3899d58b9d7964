/**
 * Inputs of the fuzz tests: valid and mutated requests of the OpenAPI document and of checkout pages, and malformed bytes. Each is
 * determined by a seed and an index.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Json } from '../support/conformance.ts';
import { boundaryValues, type Operation, operationsOf, pathsIn, pick, replaced, ValidValues } from '../support/openapi-values.ts';
import { seededRandom, type SeededRandom } from '../support/random.ts';

export interface FuzzInput {
  index: number;
  /** Its operation and mutations: `createCart, body value`. */
  title: string;
  /** Bytes to send. If there are several pieces, with a pause of `pauseMs` after each. */
  pieces: Buffer[];
  pauseMs: number;
  /** A complete request, which has exactly one response; undefined for other bytes. */
  request?: { method: string; target: string } | undefined;
  /** The end of the connection after other bytes. */
  end: 'half-close' | 'reset';
  /** True if the path or query is spelled in an unusual way, so that it cannot be looked up in the document. */
  isRespelled: boolean;
}

/** Existing data that requests refer to. Lists are never empty; carts and transactions change while inputs are sent. */
export interface Targets {
  apiKey: string;
  secret: string;
  origin: string;
  token: string;
  /** Tokens and key pairs that are rejected. */
  badTokens: string[];
  badBasic: string[];
  carts: string[];
  transactions: string[];
  /** Ids of another tenant and of its merchant, carts, transactions, applications, buyers and programs. */
  foreign: string[];
  /** Pages and forms of the checkout. */
  pages: string[];
  forms: FormTarget[];
  /** Pages and forms of the console, with the cookies of a person who is signed in. */
  console: { pages: string[]; forms: FormTarget[]; cookie: string };
}

export interface FormTarget {
  path: string;
  body: string;
}

/** Relative frequencies of operations; 1 for all others. Operations whose responses are large or slow are less frequent. */
const WEIGHTS: Record<string, number> = {
  createCart: 1.5,
  actOnTransaction: 2,
  listApplications: 1.2,
  getOpenApi: 0.01,
  listMessages: 0.02,
  runCheckout: 0.06,
  moveClock: 0.3,
  getPrograms: 0.3,
  getWidgetManifest: 0.3,
};

export class Inputs {
  readonly #operations: Operation[];
  readonly #totalWeight: number;
  readonly #values: ValidValues;
  readonly #targets: Targets;
  readonly #seed: number;

  constructor(document: Json, targets: Targets, seed: number) {
    this.#operations = operationsOf(document);
    this.#totalWeight = this.#operations.reduce((sum, { id }) => sum + weightOf(id), 0);
    this.#targets = targets;
    this.#seed = seed;
    this.#values = new ValidValues(document, (name, random) => this.#known(name, random));
  }

  /** Returns the input with this index. It depends on the seed, the index, and the ids in the targets. */
  at(index: number): FuzzInput {
    const random = seededRandom((Math.imul(this.#seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0);
    // Neighboring states generate similar first numbers.
    random.fraction();
    const draw = random.fraction();
    if (draw < 0.07) return this.#bytes(index, random);
    const draft = draw < 0.15 ? this.#page(random) : this.#operation(random);
    const count = pick([0, 1, 1, 1, 2, 3], random);
    for (let mutation = 0; mutation < count; mutation += 1) {
      const name = pick(MUTATIONS, random);
      draft.title += `, ${name}`;
      mutations[name]!(draft, random, this.#targets);
    }
    const { title, method, target, isRespelled } = draft;
    const base = { index, title, pauseMs: 0, end: 'half-close' as const, isRespelled };
    return { ...base, request: { method, target }, pieces: [bytesOf(draft)] };
  }

  #known(name: string, random: SeededRandom): string | undefined {
    const { carts, transactions, foreign, apiKey, secret, origin } = this.#targets;
    switch (name) {
      case 'cartId':
        return pick(random.fraction() < 0.1 ? foreign : carts, random);
      case 'transactionId':
        return pick(random.fraction() < 0.1 ? foreign : transactions, random);
      case 'buyerID.eq':
      case 'merchantID.eq':
      case 'lastID.eq':
        return pick(foreign, random);
      case 'limit':
        return String(random.integer(1, 4));
      case 'key':
      case 'apiKey':
      case 'client_id':
        return apiKey;
      case 'secret':
      case 'client_secret':
        return secret;
      case 'origin':
        return origin;
      case 'now':
        // The clock stays within an hour; otherwise, all carts and transactions would expire.
        return new Date(Date.now() + random.integer(0, 3_600_000)).toISOString();
      case 'idempotency-key':
        return `key-${random.integer(0, 2_000)}`;
      default:
        return undefined;
    }
  }

  #operation(random: SeededRandom): Draft {
    let rest = random.fraction() * this.#totalWeight;
    const operation = this.#operations.find(({ id }) => (rest -= weightOf(id)) < 0) ?? this.#operations[0]!;
    const { id, method, path, parameters, body } = operation;
    const headers: Draft['headers'] = [['host', 'localhost']];
    const query: string[] = [];
    let target = path;
    for (const { name, in: place, required, schema } of parameters) {
      if (!required && random.fraction() < 0.7) continue;
      const value = this.#values.of(schema, random, name);
      if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
      else if (place === 'header') headers.push([name, asciiOf(String(value))]);
      else for (const one of [value].flat()) query.push(`${name}=${encodeURIComponent(String(one))}`);
    }
    this.#authorize(path, headers, random);
    const draft = { title: id, method, target, query, headers, json: undefined, body: undefined, isRespelled: false };
    if (!body) return draft;
    const useExample = body.examples.length > 0 && random.fraction() < 0.5;
    const value = useExample ? structuredClone(pick(body.examples, random)) : this.#values.of(body.schema, random);
    headers.push(['content-type', body.type]);
    if (body.type === 'application/json') return { ...draft, json: value };
    return { ...draft, body: Buffer.from(new URLSearchParams(value).toString()) };
  }

  #authorize(path: string, headers: Draft['headers'], random: SeededRandom): void {
    const { apiKey, secret, token, badTokens, badBasic } = this.#targets;
    const isBad = random.fraction() < 0.08;
    if (path === '/api/application') headers.push(['authorization', `Bearer ${isBad ? pick(badTokens, random) : token}`]);
    else if (/^\/(carts|transactions|aslowas|sandbox|api|oauth)/.test(path)) {
      if (isBad && random.fraction() < 0.2) return;
      headers.push(['authorization', isBad ? pick(badBasic, random) : basic(apiKey, secret)]);
    }
  }

  #page(random: SeededRandom): Draft {
    const isOfConsole = random.fraction() < 0.4;
    const { pages, forms } = isOfConsole ? this.#targets.console : this.#targets;
    const base = { query: [], headers: [['host', 'localhost']] as Draft['headers'], json: undefined, isRespelled: false };
    if (isOfConsole) base.headers.push(['cookie', this.#targets.console.cookie]);
    if (random.fraction() < 0.4) return { ...base, title: 'page', method: 'GET', target: pick(pages, random), body: undefined };
    const { path, body } = pick(forms, random);
    base.headers.push(['content-type', 'application/x-www-form-urlencoded']);
    // An unchanged form would complete its step, and later forms of that step would be rejected.
    const fields = new URLSearchParams(body);
    for (const name of fields.keys()) if (random.fraction() < 0.3) fields.set(name, pick(ODD_TEXTS, random));
    fields.set(pick([...fields.keys()], random), pick(ODD_TEXTS, random));
    return { ...base, title: 'form', method: 'POST', target: path, body: Buffer.from(fields.toString()) };
  }

  /** Returns bytes that are usually not one complete request. */
  #bytes(index: number, random: SeededRandom): FuzzInput {
    let draft = this.#operation(random);
    while (draft.title === 'moveClock') draft = this.#operation(random);
    let bytes = bytesOf(draft);
    let title = `bytes of ${draft.title}`;
    for (let mutation = random.integer(1, 3); mutation > 0; mutation -= 1) {
      const name = pick(BYTE_MUTATIONS, random);
      title += `, ${name}`;
      bytes = byteMutations[name]!(bytes, random);
    }
    const isSplit = random.fraction() < 0.3;
    const pieces = isSplit ? split(bytes, random) : [bytes];
    const end = random.fraction() < 0.9 ? 'half-close' : 'reset';
    return { index, title, pieces, pauseMs: isSplit ? random.integer(0, 5) : 0, end, isRespelled: true };
  }
}

/** A request before it is serialized. */
interface Draft {
  title: string;
  method: string;
  target: string;
  query: string[];
  headers: [name: string, value: string][];
  /** Serialized after all mutations. */
  json: Json;
  body: Buffer | undefined;
  isRespelled: boolean;
}

function bytesOf({ method, target, query, headers, json, body }: Draft): Buffer {
  const content = body ?? (json === undefined ? undefined : Buffer.from(textOf(json)));
  const lines = [...headers];
  const isChunked = lines.some(([name]) => name === 'transfer-encoding');
  if (content && !isChunked) lines.push(['content-length', String(content.length)]);
  const url = query.length > 0 ? `${target}${target.includes('?') ? '&' : '?'}${query.join('&')}` : target;
  const head = `${method} ${url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const sent = isChunked ? chunked(content ?? Buffer.alloc(0)) : content;
  return sent ? Buffer.concat([Buffer.from(head, 'latin1'), sent]) : Buffer.from(head, 'latin1');
}

function chunked(content: Buffer): Buffer {
  const middle = content.length >> 1;
  const chunks = [content.subarray(0, middle), content.subarray(middle)].filter(({ length }) => length > 0);
  const parts = chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)};x=y\r\n`), chunk, Buffer.from('\r\n')]);
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Placeholder in a JSON body for a value that is inserted as text, such as `1e400`, which `JSON.stringify` cannot produce. */
class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function textOf(json: Json): string {
  const raw: string[] = [];
  const text = JSON.stringify(json, (_name, value: unknown) =>
    value instanceof RawJson ? `@raw${raw.push(value.text) - 1}@` : value,
  );
  return text.replace(/"@raw(\d+)@"/g, (_match, position: string) => raw[Number(position)]!);
}

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const asciiOf = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

const weightOf = (id: string): number => WEIGHTS[id] ?? 1;

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', ''];

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nSet-Cookie: a=b',
  '\u2028\u2029\ufeff\u202e',
  'e\u0301'.repeat(50),
  '\u{1f469}\u200d\u{1f467}'.repeat(30),
  '𝒳\u{10ffff}',
  'İıſK',
  '<script>alert(1)</script>',
  `"><svg/onload=alert(1)>`,
  `' or '1'='1`,
  `'; drop table carts; --`,
  '%s%n%x',
  '${jndi:ldap://x}',
  '{{constructor.constructor("return 1")()}}',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  'http://[::1]:4000/',
  '=1+1',
  '1e308',
  '-1',
  '0x10',
  '9'.repeat(400),
  'x'.repeat(5_000),
  ...PROTOTYPE_NAMES,
];

/** JSON texts that replace a value. */
const ODD_JSON = [
  ...'-0 1e-7 1e400 -1e400 1e21 100.00000000000001 9007199254740992 9007199254740993 18446744073709551616 2147483648 -2147483649'.split(
    ' ',
  ),
  '[[]]',
  '[{}]',
  '{"":""}',
  '{"x":{"y":[{"z":null}]}}',
  '"\\ud83d"',
  '"\\ude00x"',
  '"\\u0000"',
  '{"__proto__":{"error":true}}',
  '{"constructor":{"prototype":{"status":200}}}',
  '{"toString":null,"valueOf":null,"toJSON":1,"then":1,"length":-1}',
  `${'['.repeat(30)}${']'.repeat(30)}`,
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  `[${'0,'.repeat(600)}0]`,
  `[${'{},'.repeat(25_000)}{}]`,
  ...[...ODD_TEXTS, ...boundaryValues].map((value) => JSON.stringify(value)),
];

const ODD_QUERIES = [
  ...'= && % %zz=1 a=%ff __proto__=1 a[b]=c limit=1&limit=2 offset=1e3 ? # sort=createdAt.asc&sort=updatedAt.desc'.split(' '),
  'a&'.repeat(3_000),
];

const ODD_PATHS = [...'/ // /. /.. /%2e%2e /%00 /%ff /% /a%2fb ;x=y /__proto__ /constructor \\ /ü'.split(' '), '/'.repeat(2_000)];

const ODD_HEADERS = Object.entries({
  accept: ['*/*;q=0'],
  'accept-encoding': ['gzip, br;q=x, *;q=0'],
  'accept-language': ['es-419, *;q=0.5, xx-\xff'],
  authorization: ['Basic', 'Basic \xff\xfe', `Basic ${'A'.repeat(9_000)}`, 'Bearer a.b.c'],
  connection: ['close', 'upgrade'],
  'content-encoding': ['compress', 'gzip, gzip'],
  'content-length': ['0'],
  'content-type': ['multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'text/plain'],
  cookie: ['__Host-a=b; a=b'.repeat(50)],
  expect: ['100-continue', '200-ok'],
  host: ['evil.example'],
  'idempotency-key': ['', 'x'.repeat(256), '\xff\xfe'],
  'if-match': ['*'],
  'if-none-match': ['*', 'W/"'.repeat(500)],
  'if-modified-since': ['0'],
  origin: ['null', 'https://evil.example'],
  range: ['bytes=0-,-1'],
  referer: ['javascript:1'],
  'transfer-encoding': ['chunked'],
  upgrade: ['websocket', 'h2c'],
  'x-forwarded-for': ['1.2.3.4, ::1, x'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https'],
  'x-http-method-override': ['DELETE'],
  'sec-fetch-site': ['cross-site'],
}).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

const METHODS = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT PROPFIND QUERY get BREW'.split(' ');

const mutations: Record<string, (draft: Draft, random: SeededRandom, targets: Targets) => void> = {
  'body value': (draft, random) => changeBody(draft, random, new RawJson(pick(ODD_JSON, random))),
  'field removed': (draft, random) => changeBody(draft, random, undefined),
  // Not in the body: the service may store and return it, which would look like a leak.
  'foreign id': (draft, random, { foreign }) =>
    (draft.target = draft.target.replace(/[\da-f]{8}-[\da-f-]{27}/, pick(foreign, random))),
  'odd field': (draft, random) => {
    const field = `${JSON.stringify(pick(PROTOTYPE_NAMES, random))}:${pick(ODD_JSON, random)}`;
    const text = bodyText(draft);
    if (text !== undefined)
      setBody(
        draft,
        text.replace('{', () => `{${field}${text.startsWith('{}') ? '' : ','}`),
      );
  },
  'body text': (draft, random) => {
    const bytes = draft.body ?? Buffer.from(bodyText(draft) ?? '');
    draft.body = pick(BODY_MUTATIONS, random)(bytes, random);
    draft.json = undefined;
  },
  compressed: (draft, random) => {
    const [encoding, compress] = pick(
      [
        ['gzip', gzipSync],
        ['br', brotliCompressSync],
        // The last two do not match their encoding.
        ['deflate', gzipSync],
        ['gzip', (bytes: Buffer) => bytes],
      ] as const,
      random,
    );
    const bytes = compress(draft.body ?? Buffer.from(bodyText(draft) ?? ''));
    draft.body = random.fraction() < 0.2 ? flipped(bytes, random) : bytes;
    draft.json = undefined;
    draft.headers.push(['content-encoding', encoding]);
  },
  method: (draft, random) => (draft.method = pick(METHODS, random)),
  header: (draft, random) => draft.headers.push(pick(ODD_HEADERS, random)),
  'header replaced': (draft, random) => {
    const [name, value] = pick(ODD_HEADERS, random);
    draft.headers = [...draft.headers.filter((one) => one[0] !== name), [name, value]];
  },
  'header removed': (draft, random) => void draft.headers.splice(random.integer(0, draft.headers.length - 1), 1),
  'query value': (draft, random) =>
    changeQuery(draft, random, (name) => `${name}=${encodeURIComponent(pick(ODD_TEXTS, random))}`),
  'query repeated': (draft, random) => void (draft.query.length > 0 && draft.query.push(pick(draft.query, random))),
  'query added': (draft, random) => {
    draft.query.push(pick(ODD_QUERIES, random));
    draft.isRespelled = true;
  },
  path: (draft, random) => {
    const at = random.integer(0, draft.target.length);
    draft.target = draft.target.slice(0, at) + pick(ODD_PATHS, random) + draft.target.slice(at);
    draft.isRespelled = true;
  },
  'path segment': (draft, random) => {
    const segments = draft.target.split('/');
    segments[random.integer(1, segments.length - 1)] = encodeURIComponent(pick(ODD_TEXTS, random));
    draft.target = segments.join('/');
    draft.isRespelled = true;
  },
};

/** Repeated mutations are more frequent. */
const MUTATIONS = [...Object.keys(mutations), 'body value', 'body value', 'header'];

/** Replaces a random part of the JSON body, or removes it. */
function changeBody(draft: Draft, random: SeededRandom, replacement: RawJson | undefined): void {
  if (draft.json !== undefined) draft.json = replaced(draft.json, pick(pathsIn(draft.json), random), replacement);
}

function changeQuery(draft: Draft, random: SeededRandom, change: (name: string) => string): void {
  if (draft.query.length === 0) return;
  const at = random.integer(0, draft.query.length - 1);
  draft.query[at] = change(draft.query[at]!.split('=')[0]!);
  draft.isRespelled = true;
}

const bodyText = ({ json, body }: Draft): string | undefined =>
  body?.toString() ?? (json === undefined ? undefined : textOf(json));

function setBody(draft: Draft, text: string): void {
  draft.body = Buffer.from(text);
  draft.json = undefined;
}

const INVALID_UTF8 = [
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
];

const BODY_MUTATIONS: ((bytes: Buffer, random: SeededRandom) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random.integer(0, bytes.length)),
  (bytes, random) => inserted(bytes, pick(INVALID_UTF8, random), random),
  flipped,
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.concat([Buffer.from('\ufeff\ufeff'), bytes]),
  (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.concat([bytes, Buffer.from(',')]),
  (bytes) => Buffer.from(`[${bytes.toString()}]`),
  (bytes) => Buffer.from(bytes.toString().replaceAll('"', "'")),
  (bytes) => Buffer.from(`${bytes.toString().slice(0, -1)},"options":{}}`),
  () => Buffer.from('NaN'),
  () => Buffer.from('"text"'),
  () => Buffer.alloc(70_000, '['),
  (bytes, random) => (random.fraction() < 0.1 ? Buffer.alloc(1_100_000, ' ') : bytes.subarray(1)),
];

function inserted(bytes: Buffer, added: Buffer, random: SeededRandom): Buffer {
  const at = random.integer(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
}

function flipped(bytes: Buffer, random: SeededRandom): Buffer {
  if (bytes.length === 0) return bytes;
  const changed = Buffer.from(bytes);
  for (let flip = random.integer(1, 4); flip > 0; flip -= 1)
    changed[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
  return changed;
}

function split(bytes: Buffer, random: SeededRandom): Buffer[] {
  const cuts = Array.from({ length: random.integer(1, 4) }, () => random.integer(0, bytes.length)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length)).filter(({ length }) => length > 0);
}

const HEADER_LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: xchunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1, 2',
  'Content-Length: 99999999999999999999',
  'Content-Length: 0x5',
  'Content-Length:\x0b5',
  'Host: a',
  'Host:',
  'Expect: 100-continue',
  ' folded: line',
  'no colon',
  ': no name',
  'bad name: x',
  'nul: a\0b',
  'bare: a\rb',
  `long: ${'x'.repeat(17_000)}`,
  Array.from({ length: 120 }, (_, index) => `h${index}: x`).join('\r\n'),
];

const CHUNKED_BODIES = [
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffffff\r\nx',
  '-1\r\nx\r\n0\r\n\r\n',
  '2\r\n{}\n0\n\n',
  '2;' + 'e'.repeat(20_000) + '\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}XX0\r\n\r\n',
  '0\r\nTrailer: x\r\n\r\n',
  '2\r\n{',
];

const byteMutations: Record<string, (bytes: Buffer, random: SeededRandom) => Buffer> = {
  cut: (bytes, random) => bytes.subarray(0, random.integer(1, bytes.length)),
  flipped,
  inserted: (bytes, random) =>
    inserted(bytes, Buffer.from(pick(['\r\n', '\n', '\r', '\0', ' ', ':', '\t', '\xff', '\r\n\r\n'], random), 'latin1'), random),
  'header line': (bytes, random) => withHeaderLine(bytes, pick(HEADER_LINES, random)),
  chunks: (bytes, random) =>
    Buffer.concat([withHeaderLine(headOf(bytes), 'Transfer-Encoding: chunked'), Buffer.from(pick(CHUNKED_BODIES, random))]),
  pipelined: (bytes) => Buffer.concat([bytes, bytes, bytes]),
  'followed by bytes': (bytes, random) => Buffer.concat([bytes, randomBytes(random, 200)]),
  version: (bytes, random) =>
    substituted(
      bytes,
      'HTTP/1.1',
      pick(['HTTP/0.9', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', 'http/1.1', 'ICY', ''], random),
    ),
  'absolute target': (bytes, random) =>
    substituted(
      bytes,
      ' /',
      pick(
        [' http://localhost/', ' https://evil.example/', ' localhost:80', ' *', ' ', ' //', ' http://[/', ' http:///'],
        random,
      ),
    ),
  'line ends': (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  'empty lines first': (bytes) => Buffer.concat([Buffer.from('\r\n\r\n\n'), bytes]),
  'random bytes': (_bytes, random) => randomBytes(random, 2_000),
  'HTTP/2 preface': () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'),
  'TLS hello': (_bytes, random) =>
    Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), randomBytes(random, 400)]),
};

/** As above. */
const BYTE_MUTATIONS = [...Object.keys(byteMutations), 'header line'];

/** Returns the head of a request without its content length, with the method POST instead of GET. */
function headOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  const head = (end < 0 ? bytes : bytes.subarray(0, end + 4)).toString('latin1');
  return Buffer.from(head.replace(/content-length: \d+\r\n/, '').replace(/^GET/, 'POST'), 'latin1');
}

function withHeaderLine(bytes: Buffer, line: string): Buffer {
  return substituted(bytes, '\r\n', `\r\n${line}\r\n`);
}

function substituted(bytes: Buffer, text: string, replacement: string): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(text, () => replacement),
    'latin1',
  );
}

function randomBytes(random: SeededRandom, maxLength: number): Buffer {
  return Buffer.from(Array.from({ length: random.integer(1, maxLength) }, () => random.integer(0, 255)));
}
