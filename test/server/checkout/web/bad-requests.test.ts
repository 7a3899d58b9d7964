/** Malformed requests. Each receives an HTML page and does not change the checkout. */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCart, fieldsOf, open, typed } from '../../../support/checkout.ts';
import { parsePage } from '../../../support/html.ts';
import { pageNamed } from '../../../support/checkout-pages.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

const FORM = 'application/x-www-form-urlencoded';
const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const without = (name: string) => Object.fromEntries(Object.entries(typed).filter(([key]) => key !== name));
/** The encoded form without the first name, which is appended unencoded. */
const named = (rest: string) => `${encoded(without('firstName'))}&${rest}`;

interface Row {
  body: string | Buffer;
  headers?: Record<string, string>;
  /** The status and the page. */
  expected: [status: number, page: string];
}
const invalidForm: Row['expected'] = [422, 'details'];
/** A request without fields has no form token, and is rejected as a cross-site form. */
const forged: Row['expected'] = [403, 'details'];
const invalidRequest: Row['expected'] = [400, 'invalidRequest'];
const tooLarge: Row['expected'] = [413, 'invalidRequest'];

const rows: Record<string, Row> = {
  nothing: { body: '', expected: invalidForm },
  'signs alone': { body: '&&==&=&', expected: invalidForm },
  'a percent sign that stands for nothing': { body: named('firstName=Ada%zz'), expected: invalidRequest },
  'a field twice': { body: named('firstName=Ada&firstName=Eve'), expected: invalidForm },
  'a field in brackets': { body: named('firstName[]=Ada'), expected: invalidForm },
  'a field with a place in a list': { body: named('firstName[0]=Ada&firstName[99999999]=Eve'), expected: invalidForm },
  'a field with fields': { body: named('firstName[length]=3&firstName[toString]=x'), expected: invalidForm },
  'a field with dots': { body: named('firstName.x=Ada'), expected: invalidForm },
  'a field of what every object has': {
    body: named('__proto__[firstName]=Ada&constructor[prototype][firstName]=Ada'),
    expected: invalidForm,
  },
  'fields as deep as they go': { body: named(`firstName${'[x]'.repeat(500)}=Ada`), expected: invalidForm },
  'more than 1,000 fields': { body: `${'x=1&'.repeat(1_000)}${encoded(typed)}`, expected: invalidRequest },
  'a name of 60 kB': { body: named(`${'x'.repeat(60_000)}=1`), expected: invalidForm },
  'half of a character in percents': { body: named('firstName=Ada%ED%A0%BD'), expected: invalidRequest },
  'percents of no text': { body: named('firstName=Ada%FF%FE%C0%80'), expected: invalidRequest },
  'percents of Latin-1': { body: named('firstName=Jos%E9'), expected: invalidRequest },
  'a NUL in percents': { body: named('firstName=Ada%00'), expected: invalidForm },
  JSON: { body: JSON.stringify(typed), headers: { 'content-type': 'application/json' }, expected: forged },
  XML: {
    body: '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
    headers: { 'content-type': 'text/xml' },
    expected: forged,
  },
  'a form of many parts': {
    body: '--b\r\nContent-Disposition: form-data; name="firstName"\r\n\r\nAda\r\n--b--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    expected: forged,
  },
  'a form that says it is text': { body: encoded(typed), headers: { 'content-type': 'text/plain' }, expected: forged },
  'a form that does not say what it is': { body: encoded(typed), headers: { 'content-type': '' }, expected: forged },
  'a form in UTF-16': {
    body: Buffer.from(encoded(typed), 'utf16le'),
    headers: { 'content-type': `${FORM}; charset=utf-16le` },
    expected: invalidRequest,
  },
  'what says it is compressed, and is not': {
    body: encoded(typed),
    headers: { 'content-encoding': 'gzip' },
    expected: invalidRequest,
  },
  'an unknown content encoding': {
    body: encoded(typed),
    headers: { 'content-encoding': 'rot13' },
    expected: [415, 'invalidRequest'],
  },
  '100 MB in 100 kB': {
    body: gzipSync(Buffer.alloc(100_000_000, 'x')),
    headers: { 'content-encoding': 'gzip' },
    expected: tooLarge,
  },
  '10 MB': { body: Buffer.alloc(10_000_000, 'x'), expected: tooLarge },
};

describe('A checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const applications = async (cartId: string) =>
    service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).execute();

  it.each(Object.entries(rows))(
    'responds to %s with a page, and stores nothing',
    async (_what, { body, headers = {}, expected }) => {
      const cart = await createCart(merchant);
      const page = await open(cart.url);
      // The form’s hidden fields are included, so that their absence is not the first error.
      const carried = encoded(fieldsOf(page));
      const isForm = typeof body === 'string' && !headers['content-encoding'];
      const sent = isForm && carried !== '' ? `${carried}&${body}` : body;
      const url = `${cart.url}/details`;
      const response = await fetchResponse(url, {
        method: 'POST',
        body: Buffer.from(sent),
        headers: { 'content-type': FORM, ...headers },
      });
      const shown = parsePage(response.text, url);
      expect([response.status, pageNamed(shown.headings[0]!, 'en'), shown.faults]).toEqual([...expected, []]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await applications(cart.id)).toEqual([]);
      expect(service.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
      expect(await open(cart.url)).toMatchObject({ status: 200, heading: 'Your details' });
    },
  );
});

describe('An incomplete form', () => {
  it.each([
    ['before its body', ''],
    ['within its body', 'firstName=A'],
  ])('%s stores nothing, and logs no error', async (_what, part) => {
    const service = await startService();
    const cart = await createCart(await service.createMerchant());
    const headers = { 'content-type': FORM, 'content-length': '500', expect: '100-continue' };
    const sent = request(`${cart.url}/details`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    // The service sends 100 Continue when it reads the body.
    sent.on('continue', () => sent.write(part, () => sent.destroy()));
    sent.flushHeaders();
    await until(() => service.logged.some((line) => /"method":"POST".*"status":400/.test(line)));
    expect(await open(cart.url)).toMatchObject({ status: 200, heading: 'Your details' });
    expect(service.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
  });
});
