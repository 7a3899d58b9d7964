import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { filledForm, completeCheckouts } from './checkouts.ts';
import { documentPathOf, postTo } from './purchases.ts';

/** Bytes for one header or path: the server's limit for the request line and all headers, minus the other headers. */
const HEADER_BYTES = 15_000;
const ORIGIN = 'https://shop.example';

export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** A function if it must differ between repetitions. */
  body?: string | Buffer | (() => string | Buffer);
}

/**
 * Returns expensive requests that need no credentials: sent to every path that anyone can call.
 *
 * @param {string} origin - Origin of the service.
 * @param {string} authorization - Header of a merchant with the registered origin `https://shop.example`, who creates the carts.
 * @param {string} file - Path of the service's SQLite database.
 */
export async function hostileRequests(origin: string, authorization: string, file: string): Promise<HostileRequest[]> {
  const apiKey = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[0]!;
  return [
    ...bodies(apiKey),
    ...forms(),
    ...longLines(apiKey),
    ...wrongCredentials(await tokenOf(origin, authorization)),
    ...pageCarts(apiKey),
    ...(await checkouts(origin, authorization, file)),
    ...['/', '/docs', '/openapi.json', '/widget/manifest.json', '/.well-known/jwks.json', '/readyz'].map((path) => get(path)),
  ];
}

const get = (path: string, headers = {}, name = path) => ({ name: `GET ${name}`, method: 'GET', path, headers });

/** Compressed, deeply nested and fragmented JSON for every path that reads JSON. */
function bodies(apiKey: string) {
  const megabyte = 1_048_576;
  const filled = (piece: string, bytes = megabyte) => `[${piece.repeat(Math.floor((bytes - 4) / piece.length))}0]`;
  const hostile = {
    'gzip of empty objects': [gzipSync(filled('{},')), 'gzip'],
    'gzip of empty lists, 128 KiB': [gzipSync(filled('[],', 131_072)), 'gzip'],
    'brotli of numbers': [brotliCompressSync(filled('0,')), 'br'],
    'gzip of one string of 100 MB': [gzipSync(`"${'x'.repeat(100_000_000)}"`), 'gzip'],
    '4 KiB of numbers': [filled('0,', 4_096)],
    '128 KiB of empty objects': [filled('{},', 131_072)],
    '128 KiB of nested lists': ['['.repeat(65_536) + ']'.repeat(65_536)],
    '128 KiB of names': [`{${Array.from({ length: 10_000 }, (_, index) => `"${index}":0`).join()}}`],
    '128 KiB of a number': ['9'.repeat(131_000)],
    '1 MiB of empty objects': [filled('{},')],
  };
  const paths = ['/api/auth/service/authorize', '/storefront/carts', '/carts', '/oauth/token', '/api/application'];
  return paths.flatMap((path) =>
    Object.entries(hostile).map(([name, [body, encoding]]) => ({
      name: `POST ${path}: ${name}`,
      method: 'POST',
      path,
      headers: { origin: ORIGIN, 'x-key': apiKey, ...(encoding && { 'content-encoding': encoding }) },
      body,
    })),
  );
}

/** Forms with many, nested and repeated fields. */
function forms() {
  const filled = (field: string, bytes: number) => field.repeat(Math.floor(bytes / field.length)).slice(0, -1);
  const hostile = {
    'many fields': filled('a=b&', 65_500),
    'many names': Array.from({ length: 6_000 }, (_, index) => `a${index}=b`)
      .join('&')
      .slice(0, 65_500),
    'nested fields': `a${'[b]'.repeat(21_000)}=c`,
    'many nested fields': filled('a[b][c][d][e][f]=g&', 65_500),
    escapes: `a=${filled('%F0%9F%AA%91', 65_496)}1`,
  };
  return ['/oauth/token', '/c/unknown/details'].flatMap((path) => [
    ...Object.entries(hostile).map(([name, body]) => form(path, name, body)),
    ...Object.entries(hostile).map(([name, body]) => form(path, `4 KiB of ${name}`, body.slice(0, 4_080))),
    form(path, 'gzip of one field of 100 MB', gzipSync(`a=${'b'.repeat(100_000_000)}`), { 'content-encoding': 'gzip' }),
  ]);
}

const form = (path: string, name: string, body: string | Buffer, headers = {}) => ({
  name: `POST ${path}: form, ${name}`,
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body,
});

/** Long paths, queries and headers. */
function longLines(apiKey: string) {
  const filled = (piece: string) => piece.repeat(Math.floor(HEADER_BYTES / piece.length));
  const paths = ['/c/unknown', '/a/unknown', `/storefront/programs?key=${apiKey}`, '/api/application', '/checkout/checkout.css'];
  const queries = { parameters: 'a&', names: '', escapes: '%F0%9F%AA%91', pluses: '+' };
  const names = Array.from({ length: 3_000 }, (_, index) => `a${index}`)
    .join('&')
    .slice(0, HEADER_BYTES);
  const headers = {
    'accept-language': filled('q,'),
    'accept-encoding': filled('a;q=.1,'),
    'if-none-match': filled('"a",'),
    accept: filled('a/b;q=.1,'),
    'x-forwarded-for': filled('1,'),
    cookie: filled('a=b;'),
  };
  return paths.flatMap((path) => [
    get(path),
    ...Object.entries(queries).map(([name, piece]) => {
      const query = piece ? filled(piece) : names;
      return get(`${path}${path.includes('?') ? '&' : '?'}${query}`, {}, `${path}: query of ${name}`);
    }),
    ...Object.entries(headers).map(([name, value]) => get(path, { [name]: value }, `${path}: long ${name}`)),
    get(`${path.split('?')[0]}${filled('/')}`, {}, `${path}: many slashes`),
    get(`${path.split('?')[0]}${filled('/a')}`, {}, `${path}: many segments`),
  ]);
}

/** Wrong secrets and tokens that are as expensive to verify as possible. */
function wrongCredentials(token: string) {
  const [head, claims = '', signature] = token.split('.');
  const basic = `Basic ${Buffer.from(`ft_sandbox_key_x:${'x'.repeat(10_000)}`).toString('base64')}`;
  const large = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), a: Array(2_500).fill(0) }),
  );
  const bearers = {
    'a wrong signature': `${head}.${claims.slice(0, -2)}AA.${signature}`,
    'a forged signature': `${head}.${claims}.${randomBytes(64).toString('base64url')}`,
    'many claims': `${head}.${large.toString('base64url')}.${signature}`,
    'no JWT format': 'x.'.repeat(5_000),
  };
  return [
    ...['/transactions/x', '/carts/x', '/api/application'].map((path) =>
      get(path, { authorization: basic }, `${path}: wrong secret`),
    ),
    ...Object.entries(bearers).map(([name, bearer]) =>
      get('/api/application', { authorization: `Bearer ${bearer}` }, `/api/application: token with ${name}`),
    ),
    form('/oauth/token', 'wrong secret', 'grant_type=client_credentials&client_id=x&client_secret=y'),
  ];
}

async function tokenOf(origin: string, authorization: string) {
  const response = await fetch(`${origin}/api/auth/service/authorize`, { method: 'POST', headers: { authorization } });
  return (await response.json()).token;
}

/** Carts of the maximum size that a page may create. */
function pageCarts(apiKey: string) {
  const open = (name: string, options: object) => ({
    name: `POST /storefront/carts: ${name}`,
    method: 'POST',
    path: '/storefront/carts',
    headers: { origin: ORIGIN },
    body: () => JSON.stringify({ key: apiKey, idempotencyKey: randomUUID(), options }),
  });
  return [
    open('a cart of 500 items', pageCart),
    open('a cart of 500 items, 50 shipping options and 100 discounts', { ...pageCart, ...extras }),
    open('a cart with 500 invalid items', { items: pageCart.items.map((item) => ({ ...item, price: -1 })) }),
  ];
}

const extras = {
  shippingOptions: Array.from({ length: 50 }, (_, index) => ({ type: `Way ${index}`, typeId: `${index}`, cost: index })),
  discounts: Array.from({ length: 100 }, (_, index) => ({ amount: 1, description: `Discount ${index}` })),
};

/** Items with images of different hosts. */
const itemsOf = (count: number, suffix = '', pathLength = 0) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Chair ${index}${suffix}`,
    sku: `C-${index}${suffix}`,
    price: 1_000,
    quantity: 5,
    imageUrl: `https://i${index}.example/${index}.jpg`,
    detailUrl: `https://shop.example/${index}${'x'.repeat(pathLength)}`,
  }));
const pageCart = { items: itemsOf(500) };
/** A cart of the maximum size. */
export const largestCart = { ...pageCart, ...extras };

/** A program whose plans are expensive to calculate: 24 offers, three tiers and a fee. */
const holiday = JSON.parse(readFileSync(new URL('../../demo/programs/holiday.json', import.meta.url), 'utf8'));
export const longProgram = {
  ...holiday,
  id: 'long',
  name: 'Many terms',
  effective: { from: '2020-01-01', to: null },
  downPayment: undefined,
  amount: { minCents: 50_000, maxCents: 3_000_000 },
  caps: { maxAprBps: 9_999, maprCapBps: null },
  offers: Array.from({ length: 24 }, (_, index) => ({
    id: `o${index}`,
    termLength: 3 + 2 * index,
    tierAprBps: { A: 999, B: 1_999, C: 2_999 },
  })),
};

/** Pages of checkouts with small carts and with carts of the maximum size. */
async function checkouts(origin: string, authorization: string, file: string) {
  const costing = (price: number) => ({ items: pageCart.items.map((item) => ({ ...item, price })) });
  const carts = {
    'one item': { items: [{ ...itemsOf(1)[0], price: 50_000 }] },
    'one item, many plans': { items: [{ ...itemsOf(1)[0], price: 50_000 }], financingProgramId: longProgram.id },
    '500 items': pageCart,
    '500 items, 1 MB': { items: itemsOf(500, `${'x'.repeat(90)}<&>"'`, 1_500) },
    '500 items, 50 shipping options, 100 discounts': largestCart,
    '500 items, 50 shipping options, 100 discounts, many plans': { ...largestCart, financingProgramId: longProgram.id },
  };
  const requests = [];
  for (const [name, options] of Object.entries(carts)) {
    const paths = await completeCheckouts(origin, authorization, { options });
    for (const [page, path] of Object.entries(paths)) {
      requests.push(get(path, { 'accept-encoding': 'gzip' }, `${page} page, cart of ${name}`));
      if (page !== 'completed' && page !== 'declined')
        requests.push(form(path, `unknown field, ${page}, cart of ${name}`, 'a=b'));
    }
    // These forms can be submitted repeatedly until the next step is completed.
    for (const page of ['details', 'plans']) {
      const { path, body } = await filledForm(origin, paths[page as keyof typeof paths]);
      requests.push(form(path, `filled in, ${page}, cart of ${name}`, body));
    }
    const documentPath = await documentPathOf(`sqlite:${file}`, paths.completed);
    requests.push(get(documentPath, { 'accept-encoding': 'gzip' }, `document, cart of ${name}`));
  }
  const unfinanceable = {
    'too cheap': { ...largestCart, ...costing(1), financingProgramId: longProgram.id },
    'too expensive': { ...largestCart, ...costing(1_000_000), financingProgramId: longProgram.id },
  };
  for (const [name, options] of Object.entries(unfinanceable)) {
    const { url } = await postTo(origin, authorization)('/carts', { options });
    const { pathname } = new URL(url!);
    requests.push(get(pathname, { 'accept-encoding': 'gzip' }, `page of a cart of 500 items that is ${name}`));
  }
  return requests;
}
