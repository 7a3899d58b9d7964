import { assert, oneEvent } from '@open-wc/testing';
import { freshKey, renderButton, renderSettledButton, linkOf, requestsFor, settled, STANDARD, textOf, until } from './support.ts';

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

type Fetch = typeof window.fetch;
const fetch: Fetch = window.fetch.bind(window);
const responding =
  (status: number): Fetch =>
  () =>
    Promise.resolve(new Response('{}', { status }));

const failures: [description: string, code: string, requestCount: number, service: string, stub?: Fetch][] = [
  ['responds 401', 'service', 1, STANDARD, responding(401)],
  ['responds 404', 'service', 1, '/test/widget/fixtures/nothing-here'],
  ['responds 500', 'service', 1, STANDARD, responding(500)],
  ['is down', 'service', 1, 'http://127.0.0.1:1'],
  ['has an unsupported URL scheme', 'service', 0, 'ftp://pay.example'],
  ['responds with HTML', 'answer', 1, '/test/widget/fixtures/garbage'],
  ['responds with JSON of another shape', 'answer', 1, '/test/widget/fixtures/shape'],
];

describe('When the service', () => {
  afterEach(() => {
    window.fetch = fetch;
  });

  failures.forEach(([description, code, requestCount, service, stub = fetch]) => {
    it(`${description}, the button remains a link and the page receives an error event`, async () => {
      let requests = 0;
      window.fetch = (...request) => {
        requests++;
        return stub(...request);
      };
      const element = await renderButton({ service, 'api-key': undefined });
      element.apiKey = freshKey();

      const { detail } = await oneEvent(element, 'financing-error');

      assert.instanceOf(detail, Error);
      assert.propertyVal(detail, 'code', code);
      assert.equal(requests, requestCount);
      assert.equal(element.matches(':state(failed)'), true);
      assert.equal(textOf(element, 'estimate') + textOf(element, 'disclosure'), '');
      assert.equal(linkOf(element)!.pathname, '/checkout/c_1');
      assert.equal(getComputedStyle(linkOf(element)!).visibility, 'visible');
    });
  });

  it('fails once and then responds, the estimate appears', async () => {
    let requests = 0;
    window.fetch = (...request) => (requests++ ? fetch : responding(503))(...request);

    const element = await renderButton();
    await until(() => element.matches(':state(quoted)'), 'no estimate');

    assert.equal(textOf(element, 'estimate'), 'As low as $23.07/month');
  });

  it('cannot be reached, all elements share one retry when the browser is back online', async () => {
    const key = freshKey();
    window.fetch = responding(401);
    const elements = await Promise.all([renderSettledButton({ 'api-key': key }), renderSettledButton({ 'api-key': key })]);
    await until(() => elements.every((element) => element.matches(':state(failed)')), 'not failed');
    window.fetch = fetch;

    window.dispatchEvent(new Event('online'));
    await until(() => elements.every((element) => element.matches(':state(quoted)')), 'no estimates');

    assert.equal(requestsFor(key), 1);
  });
});
