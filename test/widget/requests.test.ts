import { assert, oneEvent } from '@open-wc/testing';
import { freshKey, renderButton, renderSettledButton, requestsFor, settled, STANDARD, textOf } from './support.ts';

describe('a page with 24 financing buttons', () => {
  it('sends one request, and no further request when the amounts change', async () => {
    const key = freshKey();
    const elements = await Promise.all(
      Array.from({ length: 24 }, (_, tile) => renderButton({ 'api-key': key, amount: String(10_000 + 100 * tile) })),
    );
    await Promise.all(elements.map(settled));
    assert.equal(requestsFor(key), 1);

    for (const element of elements) element.amount = 74_000;
    await Promise.all(elements.map((element) => element.updateComplete));

    assert.deepEqual(
      elements.map((element) => textOf(element, 'estimate')),
      Array(24).fill('As low as $34.14/month'),
    );
    assert.equal(requestsFor(key), 1);
  });

  it('sends one request per API key', async () => {
    const one = freshKey();
    const other = freshKey();
    const element = await renderSettledButton({ 'api-key': one });

    element.apiKey = other;
    await oneEvent(element, 'financing-quote');

    assert.deepEqual([requestsFor(one), requestsFor(other)], [1, 1]);
  });

  it('sends no request without an API key', async () => {
    const element = await renderButton({ 'api-key': undefined });

    assert.equal(element.matches(':state(idle)'), true);
    assert.equal(requestsFor(''), 0);
  });

  it('accepts the service URL with or without a trailing slash', async () => {
    const element = await renderSettledButton({ service: `${STANDARD}/` });

    assert.equal(textOf(element, 'estimate'), 'As low as $23.07/month');
  });

  it('encodes the API key as one query parameter', async () => {
    const element = await renderSettledButton({ 'api-key': 'a&b=c $&#' });

    assert.equal(element.quote!.monthly, 2_307);
    assert.equal(requestsFor('a%26b%3Dc%20%24%26%23'), 1);
  });
});
