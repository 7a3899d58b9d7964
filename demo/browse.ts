import { Router } from '@koa/router';
import { create, optional, pattern, string, type } from 'superstruct';
import { MAX_QUANTITY, quantityOf, withQuantity } from './bag.ts';
import { findProduct } from './catalog.ts';
import { bagPage, modes } from './pages/bag.ts';
import { catalogPage } from './pages/catalog.ts';
import { badRequestPage } from './pages/message.ts';
import { productPage } from './pages/product.ts';
import { bagOf, queryParam, saveBag, seeOther, shopForms, showPage } from './respond.ts';
import type { Shop } from './shop.ts';

/** `add` increments the quantity of a product, and `quantity` sets it. */
const BagForm = type({ slug: string(), add: optional(string()), quantity: optional(pattern(string(), /^[0-5]$/)) });

/** The catalog, product pages and the bag. These routes do not call the financing service. */
export function browseRoutes({ serviceUrl, apiKey, shopUrl }: Shop): Router {
  const router = new Router();

  router.get('/', (ctx) => showPage(ctx, catalogPage(serviceUrl, apiKey)));

  router.get('/products/:slug', (ctx) => {
    const product = findProduct(ctx.params.slug ?? '');
    if (product) showPage(ctx, productPage(product, serviceUrl, apiKey));
  });

  router.get('/bag', (ctx) => {
    const mode = modes.find((name) => name === queryParam(ctx, 'mode')) ?? 'redirect';
    const isSignedIn = queryParam(ctx, 'buyer') === 'ada';
    showPage(ctx, bagPage(bagOf(ctx), { mode, isSignedIn }, serviceUrl, apiKey));
  });

  router.post('/bag', shopForms(shopUrl), (ctx) => {
    const { slug, add, quantity } = create(ctx.request.body, BagForm);
    const product = findProduct(slug);
    const bag = bagOf(ctx);
    if (!product || !(add ?? quantity)) return showPage(ctx, badRequestPage, { status: 400 });

    const incremented = Math.min(quantityOf(bag, product) + 1, MAX_QUANTITY);
    saveBag(ctx, withQuantity(bag, product, add ? incremented : Number(quantity)));
    seeOther(ctx, '/bag');
  });

  return router;
}
