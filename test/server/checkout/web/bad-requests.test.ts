/** Malformed requests. Each receives an HTML page and does not change the checkout. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCart, open, typed } from '../../../support/checkout.ts';
import { Page } from '../../../support/page.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const FORM = 'application/x-www-form-urlencoded';
const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const without = (name: string) => Object.fromEntries(Object.entries(typed).filter(([key]) => key !== name));
/** Encodes the form with the given unencoded text in place of the first name. */
const withFirstName = (rest: string) => `${encoded(without('firstName'))}&${rest}`;

interface Row {
  body: string | Buffer;
  headers?: Record<string, string>;
  /** The status and the page. */
  expected: [status: number, page: string];
}
const invalidForm: Row['expected'] = [422, 'details'];
/** A body that is not read as a form contains no form token, and is rejected as a cross-site form. */
const forged: Row['expected'] = [403, 'details'];
const invalidRequest: Row['expected'] = [400, 'invalid-request'];
const tooLarge: Row['expected'] = [413, 'invalid-request'];
const unsupportedEncoding: Row['expected'] = [415, 'invalid-request'];

const rows: Record<string, Row> = {
  'an empty body': { body: '', expected: invalidForm },
  'an invalid percent-encoding': { body: withFirstName('firstName=Ada%zz'), expected: invalidRequest },
  'a field twice': { body: withFirstName('firstName=Ada&firstName=Eve'), expected: invalidForm },
  'a field with prototype properties': {
    body: withFirstName('__proto__[firstName]=Ada&constructor[prototype][firstName]=Ada'),
    expected: invalidForm,
  },
  JSON: { body: JSON.stringify(typed), headers: { 'content-type': 'application/json' }, expected: forged },
  'a form in UTF-16': {
    body: Buffer.from(encoded(typed), 'utf16le'),
    headers: { 'content-type': `${FORM}; charset=utf-16le` },
    expected: invalidRequest,
  },
  'a compressed form': {
    body: gzipSync(encoded(typed)),
    headers: { 'content-encoding': 'gzip' },
    expected: unsupportedEncoding,
  },
  '10 MB': { body: Buffer.alloc(10_000_000, 'x'), expected: tooLarge },
};

const service = await startService();
const merchant = await service.createMerchant();

describe('A checkout', () => {
  const applications = async (cartId: string) =>
    service.database.query.selectFrom('applications').selectAll().where('cartId', '=', cartId).execute();

  it.each(Object.entries(rows))(
    'responds to %s with a page, and stores nothing',
    async (_title, { body, headers = {}, expected }) => {
      const cart = await createCart(merchant);
      const page = await open(cart.url);
      // The form’s hidden fields are included, so that their absence is not the first error.
      const hiddenFields = encoded(page.fields);
      const isForm = typeof body === 'string' && !headers['content-encoding'];
      const sentBody = isForm && hiddenFields !== '' ? `${hiddenFields}&${body}` : body;
      const url = `${cart.url}/details`;
      const response = await fetchResponse(url, {
        method: 'POST',
        body: Buffer.from(sentBody),
        headers: { 'content-type': FORM, ...headers },
      });
      const parsed = new Page(url, response);
      expect([response.status, parsed.step, parsed.faults]).toEqual([...expected, []]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await applications(cart.id)).toEqual([]);
      expect(service.logged.filter((line) => line.includes('"error"'))).toEqual([]);
      expect(await open(cart.url)).toMatchObject({ status: 200, step: 'details' });
    },
  );
});

/** The most bytes that a form can have, next to its hidden fields. */
const FORM_BYTES = 65_000;
/** Two accents in the order that normalization must change. */
const MARKS = '\u0301\u0323';
const fieldNames = Object.keys(typed);
/** Fills the fields of the form with as many repetitions of `piece` as the form can contain. */
const filled = (piece: string) => {
  const count = Math.floor(FORM_BYTES / fieldNames.length / Buffer.byteLength(piece)) - 12;
  return fieldNames.map((name) => `${name}=a${piece.repeat(count)}`).join('&');
};

describe('A form takes less than 8 times the processor time of a form of letters if it is filled with', () => {
  it.each([
    ['accents in sixteen fields', filled(MARKS)],
    ['accents in 900 fields', Array.from({ length: 900 }, (_, index) => `f${index}=a${MARKS.repeat(8)}`).join('&')],
    ['control characters', filled('\u0001a')],
  ])('%s', async (_title, body) => {
    const cart = await createCart(merchant);
    const hiddenFields = encoded((await open(cart.url)).fields);
    const cpuMs = async (fields: string) => {
      const before = process.cpuUsage();
      const response = await fetchResponse(`${cart.url}/details`, {
        method: 'POST',
        body: `${hiddenFields}&${fields}`,
        headers: { 'content-type': FORM },
      });
      const { user, system } = process.cpuUsage(before);
      expect(response.status).toBe(422);
      return (user + system) / 1_000;
    };
    // The first requests include the compilation of the code, and other tests of this process may run at the same time.
    const costs: number[] = [];
    const floors: number[] = [];
    for (let sent = 0; sent < 25; sent++) {
      floors.push(await cpuMs(filled('a')));
      costs.push(await cpuMs(body));
    }
    expect(Math.min(...costs) / Math.min(...floors)).toBeLessThan(8);
  });
});
