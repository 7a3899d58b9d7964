import { isObject } from '../../../../shared/objects.ts';
import type { SampleLanguage } from './markdown.ts';

/** A call of the API, described for all languages. Ids, keys and tokens are environment variables, such as `$CART`. */
export interface SampleCall {
  /** `GET` */
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** True if the key pair authenticates the call. */
  hasKeyPair: boolean;
  body?: unknown;
  /** True if the body is a form. It is JSON by default. */
  isForm: boolean;
}

/** Returns the call in each language. Each sample is a complete program that prints the response. */
export function samplesOf(call: SampleCall): Record<SampleLanguage, string> {
  return { sh: curl(call), ts: typescript(call), py: python(call), php: php(call) };
}

function curl({ method, url, headers, hasKeyPair, body, isForm }: SampleCall): string {
  return [
    // Without the option, curl reads brackets as a range.
    url.includes('[') ? 'curl -g' : 'curl',
    ...(hasKeyPair ? ['-u $KEY:$SECRET'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    url.includes('?') ? `"${url}"` : url,
    ...(body === undefined ? [] : isForm ? formData(body) : [`-d ${shellJson(body)}`]),
  ].join(' \\\n  ');
}

const formData = (body: unknown): string[] =>
  Object.entries(isObject(body) ? body : {}).map(([name, value]) => `-d ${name}=${String(value)}`);

function typescript({ method, url, headers, hasKeyPair, body, isForm }: SampleCall): string {
  const { text, key } = syntaxes.ts;
  const all = [
    ...(hasKeyPair ? ['authorization: `Basic ${btoa(`${process.env.KEY}:${process.env.SECRET}`)}`'] : []),
    ...Object.entries(headers).map(([name, value]) => key(name) + text(value)),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length > 0 ? ['  headers: {', ...all.map((header) => `    ${header},`), '  },'] : []),
    ...(body === undefined
      ? []
      : [`  body: ${isForm ? 'new URLSearchParams' : 'JSON.stringify'}(${literal(body, syntaxes.ts, '  ')}),`]),
  ];
  const init = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `const response = await fetch(${text(url)}${init});
console.log(response.status, await response.text());`;
}

function python({ method, url, headers, hasKeyPair, body, isForm }: SampleCall): string {
  const { text } = syntaxes.py;
  const encode = isForm ? 'urlencode' : 'json.dumps';
  const lines = [
    ...(hasKeyPair ? [`key_pair = f'{os.environ["KEY"]}:{os.environ["SECRET"]}'`] : []),
    `request = Request(${text(url)}, method='${method}')`,
    ...(hasKeyPair ? [`request.add_header('authorization', 'Basic ' + base64.b64encode(key_pair.encode()).decode())`] : []),
    ...Object.entries(headers).map(([name, value]) => `request.add_header('${name}', ${text(value)})`),
    ...(body === undefined ? [] : [`request.data = ${encode}(${literal(body, syntaxes.py, '')}).encode()`]),
    'with urlopen(request, timeout=30) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
  const modules = ['base64', 'json', 'os'].filter((name) => lines.includes(`${name}.`));
  return [
    ...(modules.length > 0 ? [`import ${modules.join(', ')}`] : []),
    ...(lines.includes('urlencode') ? ['from urllib.parse import urlencode'] : []),
    `from urllib.request import Request, urlopen\n\n${lines}`,
  ].join('\n');
}

function php({ method, url, headers, hasKeyPair, body, isForm }: SampleCall): string {
  const { text } = syntaxes.php;
  const all = [
    ...(hasKeyPair ? [`'authorization: Basic ' . base64_encode(getenv('KEY') . ':' . getenv('SECRET'))`] : []),
    ...Object.entries(headers).map(([name, value]) => text(`${name}: ${value}`)),
    ...(isForm ? ["'content-type: application/x-www-form-urlencoded'"] : []),
  ];
  const options = [
    `    'method' => '${method}',`,
    ...(all.length > 0 ? ["    'header' => [", ...all.map((header) => `        ${header},`), '    ],'] : []),
    ...(body === undefined
      ? []
      : [`    'content' => ${isForm ? 'http_build_query' : 'json_encode'}(${literal(body, syntaxes.php, '    ')}),`]),
  ];
  return `<?php
$context = stream_context_create(['http' => [
${options.join('\n')}
]]);
echo file_get_contents(${text(url)}, false, $context);`;
}

/** The syntax of values in a language. */
interface Syntax {
  indent: string;
  object: readonly [open: string, close: string];
  key(name: string): string;
  /** Returns a text with its environment variables. */
  text(value: string): string;
  words: Readonly<Record<string, string>>;
}

const syntaxes = {
  ts: {
    indent: '  ',
    object: ['{ ', ' }'],
    key: (name) => `${/^[a-z]\w*$/i.test(name) ? name : quoted(name)}: `,
    text: (value) => (hasVariable(value) ? `\`${replaceVariables(value, (name) => `\${process.env.${name}}`)}\`` : quoted(value)),
    words: {},
  },
  py: {
    indent: '    ',
    object: ['{', '}'],
    key: (name) => `${quoted(name)}: `,
    text: (value) =>
      hasVariable(value)
        ? `f${quoted(replaceVariables(value, (name) => `{os.environ["${name}"]}`))}`.replace(/^f'\{([^{}]*)\}'$/, '$1')
        : quoted(value),
    words: { true: 'True', false: 'False', null: 'None' },
  },
  php: {
    indent: '    ',
    object: ['[', ']'],
    key: (name) => `${quoted(name)} => `,
    text: (value) => replaceVariables(quoted(value), (name) => `' . getenv('${name}') . '`).replace(/ \. ''$/, ''),
    words: {},
  },
} as const satisfies Record<string, Syntax>;

/** Objects and lists up to this length are on one line. */
const MAX_LINE_LENGTH = 60;

/** Returns a value of JSON in a language. @param margin - Indentation of its first line. */
function literal(value: unknown, syntax: Syntax, margin: string): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : syntax.object;
  const inner = margin + syntax.indent;
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item, syntax, inner))
    : Object.entries(value).map(([name, item]) => syntax.key(name) + literal(item, syntax, inner));
  const line = open + entries.join(', ') + close;
  if (line.length <= MAX_LINE_LENGTH && !line.includes('\n')) return line;
  return `${open.trim()}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${margin}${close.trim()}`;
}

const VARIABLE = /\$([A-Z]+)/g;

const hasVariable = (text: string): boolean => text.search(VARIABLE) >= 0;

const replaceVariables = (text: string, replacement: (name: string) => string): string =>
  text.replace(VARIABLE, (_, name: string) => replacement(name));

const quoted = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** Returns an argument of the shell, which replaces variables only between double quotes. */
const shellText = (text: string): string => (hasVariable(text) ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Returns JSON as an argument of the shell: its variables are outside of its single quotes. */
const shellJson = (value: unknown): string =>
  replaceVariables(`'${JSON.stringify(value, null, 2).replaceAll("'", String.raw`'\''`)}'`, (name) => `'$${name}'`);
