import { describe, expect, it } from 'vitest';
import { type TestResponse, apiKey, createStandIn, hangUp, loggable, secret } from './stand-in.ts';

const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
const buyer = {
  firstName: 'Augusta',
  lastName: 'Lovelace',
  address: '1 Analytical Way',
  city: 'Austin',
  state: 'TX',
  phone: '5125550100',
};

describe('The secret', () => {
  it('does not appear in a logged client', async () => {
    const { fairterm } = await createStandIn([{ status: 204 }]);

    expect(loggable(fairterm)).not.toContain(secret);
    expect(loggable(fairterm)).not.toContain(encoded);
  });

  it.each([
    ['a rejected request', 400],
    ['an internal error', 500],
  ])('is redacted from the description of %s', async (_case, status) => {
    const echo: TestResponse = (response, { headers }) => {
      response.writeHead(status);
      const description = `You sent ${headers.authorization}, which is ${apiKey}:${secret}`;
      response.end(JSON.stringify({ description, error: true, type: 'INTERNAL_ERROR' }));
    };
    const { fairterm } = await createStandIn([echo]);

    const error: unknown = await fairterm.carts.expire('c').catch((thrown: unknown) => thrown);

    expect(loggable(error)).toContain(`You sent Basic [secret], which is ${apiKey}:[secret]`);
    expect(loggable(error)).not.toContain(secret);
    expect(loggable(error)).not.toContain(encoded);
  });
});

describe('An error', () => {
  it.each<[string, TestResponse]>([
    ['a missing response', hangUp],
    ['a response that is not JSON', (response, { body }) => response.end(`<pre>${body}`)],
    ['a response that is not a cart', (response, { body }) => response.end(body)],
    ['a status of 418 without an error body', (response, { body }) => response.writeHead(418).end(body)],
  ])('for %s contains neither the secret nor personal data of the request', async (_case, response) => {
    const { fairterm } = await createStandIn([response]);
    const options = { customTotal: 5_000, shippingContact: buyer };

    const error: unknown = await fairterm.carts.create({ options }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    for (const confidential of [secret, encoded, 'Augusta', 'Lovelace', 'Analytical', '5125550100'])
      expect(loggable(error)).not.toContain(confidential);
  });
});
