import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type TestResponse, apiKey, givenResponses, hangUp, secret } from './stand-in.ts';

const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
const buyer = {
  firstName: 'Augusta',
  lastName: 'Lovelace',
  address: '1 Analytical Way',
  city: 'Austin',
  state: 'TX',
  phone: '5125550100',
};

/** All that a log could show of a value. */
const shown = (value: unknown): string =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value), (value as Error).stack].join('\n');

describe('the secret', () => {
  it('is not shown with the client', async () => {
    const { fairterm } = await givenResponses([{ status: 204 }]);

    expect(shown(fairterm)).not.toContain(secret);
    expect(shown(fairterm)).not.toContain(encoded);
  });

  it.each([
    ['a no', 400],
    ['a fault', 500],
  ])('is redacted from the description of %s that repeats the request', async (_what, status) => {
    const echo: TestResponse = (response, { headers }) => {
      response.writeHead(status);
      const description = `You sent ${headers.authorization}, which is ${apiKey}:${secret}`;
      response.end(JSON.stringify({ description, error: true, type: 'INTERNAL_ERROR' }));
    };
    const { fairterm } = await givenResponses([echo]);

    const error: unknown = await fairterm.carts.expire('c').catch((thrown: unknown) => thrown);

    expect(shown(error)).toContain(`You sent Basic [secret], which is ${apiKey}:[secret]`);
    expect(shown(error)).not.toContain(secret);
    expect(shown(error)).not.toContain(encoded);
  });
});

describe('an error', () => {
  it.each<[string, TestResponse]>([
    ['no answer', hangUp],
    ['an unreadable answer', (response, { body }) => response.end(`<pre>${body}`)],
    ['an answer that is not a cart', (response, { body }) => response.end(body)],
    ['the error body of something else', (response, { body }) => response.writeHead(418).end(body)],
  ])('for %s shows neither the secret nor personal data of the request', async (_what, response) => {
    const { fairterm } = await givenResponses([response]);
    const options = { customTotal: 5_000, shippingContact: buyer };

    const error: unknown = await fairterm.carts.create({ options }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    for (const word of [secret, encoded, 'Augusta', 'Lovelace', 'Analytical', '5125550100'])
      expect(shown(error)).not.toContain(word);
  });
});
