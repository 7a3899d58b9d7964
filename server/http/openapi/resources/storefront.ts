import * as wire from '../../../../shared/wire/storefront.ts';
import { cacheable, createResource, describing } from '../operation.ts';
import { cartExample, chair, exampleIds } from './carts.ts';

const cartOfPage = {
  key: 'ft_sandbox_key_0nT1dYbN4VqvB3m0rW2kXw',
  idempotencyKey: '5e2f7a44-8c1d-4d0e-9a57-0b6f3c1d2e90',
  options: {
    orderRef: 'ORDER-3',
    completeUrl: 'https://shop.example/thank-you',
    items: [{ ...chair, price: 75_000, quantity: 1 }],
  },
};

/** The response for `cartOfPage`. */
const openedCart = { id: exampleIds.cart, url: cartExample.url, expiration: cartExample.expiration };

const version = '0.1.0-6f1d0c2b9a3e';

/** The manifest after the first release. */
const widgetManifest = {
  current: version,
  versions: {
    [version]: {
      releasedAt: '2026-11-21T09:30:00.000000Z',
      files: {
        'financing-button.js': {
          url: `https://financing.example/widget/${version}/financing-button.js`,
          integrity: 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC',
          bytes: 26200,
        },
      },
    },
  },
};

const describe = describing(wire);

const schemas = [
  describe('OpenCartRequest', 'A cart to create from a page. Unknown fields are ignored.', {
    key: 'Your API key, which is public. Never send the secret from a page.',
    idempotencyKey:
      'A random UUID, new for each cart that a buyer wants to create. Do not use an order id: a request with the same key and body returns the same cart.',
    options:
      'Items or total, contacts and URLs, which must be on your registered origins. Pictures and pages of items on other origins are stored as empty strings. `createdBy` and `cartName` are ignored.',
  }),
  describe('OpenedCart', 'The created cart. Your server can retrieve the rest of it.', {
    id: 'Id of the cart.',
    url: 'Checkout link. It opens the first form and reveals nothing about a checkout that a buyer has started.',
    expiration: 'Last day on which the link works, until the end of the day in every US time zone.',
  }),
  describe('WidgetManifest', 'Releases of the widget.', {
    current: 'Version at `/widget/v1/`.',
    versions: 'Releases by version. All of them stay available.',
  }),
  describe('WidgetVersion', 'A release of the widget.', {
    releasedAt: 'Time since which this service has the release.',
    files: 'Files by name.',
  }),
  describe('WidgetFile', 'A file of the widget.', {
    url: 'URL of the file. Its content never changes.',
    integrity: 'SHA-384 of the file for the attribute `integrity`.',
    bytes: 'Uncompressed size in bytes.',
  }),
];

/** Only the button reads the document, whose fields are those of `ProgramDocument` in shared/programs/rate-sheet.ts. */
const programDocument = {
  type: 'object',
  required: ['defaultProgramId', 'programs', 'texts'],
  properties: {
    defaultProgramId: { type: 'string' },
    programs: { type: 'array', items: { type: 'object' } },
    texts: { type: 'object' },
  },
};

/** Requests of the button on shop pages in the OpenAPI document. They contain the public API key, and no secret. */
export const storefront = createResource('Storefront', 'none', schemas, {
  openCart: {
    call: 'POST /storefront/carts',
    summary: 'Create a cart from a page',
    description:
      'Sent by `<financing-button>` without a `cart-url` when a buyer clicks it. Any content type is accepted, so that pages can send `text/plain`, for which browsers send no preflight request. The same body with the same `idempotencyKey` returns the same cart for 72 hours.\n\nVisitors can modify the page, including amounts, items and `orderRef`. Retrieve the transaction from your server, and compare its total with the total of your order before you authorize it. Therefore `completeUrl` and `errorUrl` must have registered origins, and `callbackUrl` must be registered itself; in the sandbox, a registered origin suffices for it, too. A body is at most 16 KiB.',
    parameters: ['origin'],
    request: { body: wire.OpenCartRequest, examples: { chair: { summary: 'With one line item', value: cartOfPage } } },
    returns: { description: 'The cart.', body: wire.OpenedCart, headers: ['access-control-allow-origin'], example: openedCart },
    errors: ['unauthenticated', 'origin-not-registered', 'program-not-found', 'changed-meanwhile'],
  },
  getPrograms: {
    call: 'GET /storefront/programs',
    summary: 'List financing programs for pages',
    description:
      '`<financing-button>` loads this document once and calculates every quote on a page from it. For other quotes, use `POST /aslowas`: the fields of the document may change with a release of the button.',
    parameters: ['key', 'ifNoneMatch'],
    responses: cacheable({ description: 'The programs that are effective today.', body: { schema: programDocument } }, [
      'access-control-allow-origin',
    ]),
    errors: ['unauthenticated', 'origin-not-registered'],
  },
  getWidgetManifest: {
    call: 'GET /widget/manifest.json',
    summary: 'Retrieve the widget manifest',
    description:
      'Lists the files of each release with their permanent URLs and hashes for the attribute `integrity`. `/widget/v1/` has the files of the `current` release.',
    parameters: ['ifNoneMatch'],
    responses: cacheable({ description: 'The releases, newest first.', body: wire.WidgetManifest, example: widgetManifest }),
  },
});
