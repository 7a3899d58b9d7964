import { Router } from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { create, optional, pattern, string, type } from 'superstruct';
import { MAX_QUANTITY, quantityOf, withQuantity } from './bag.ts';
import { findProduct } from './catalogue.ts';
import { bagPage } from './pages/bag.ts';
import { cataloguePage } from './pages/catalogue.ts';
import { refusedPage } from './pages/message.ts';
import { productPage } from './pages/product.ts';
import { bagOf, keepBag, queryOf, seeOther, showPage } from './respond.ts';
import type { Shop } from './shop.ts';

/** `add` puts one more into the bag, `quantity` sets how many there are. */
const BagForm = type({ slug: string(), add: optional(string()), quantity: optional(pattern(string(), /^[0-5]$/)) });

/** Looking at products and filling the bag. Nothing here talks to the financing service. */
export function browseRoutes({ serviceUrl, apiKey }: Shop): Router {
  const router = new Router();

  router.get('/', (ctx) => showPage(ctx, cataloguePage()));

  router.get('/products/:slug', (ctx) => {
    const product = findProduct(ctx.params.slug ?? '');
    if (product) showPage(ctx, productPage(product, serviceUrl, apiKey));
  });

  router.get('/bag', (ctx) => showPage(ctx, bagPage(bagOf(ctx), serviceUrl, apiKey, queryOf(ctx, 'mode') === 'modal')));

  router.post('/bag', bodyParser({ enableTypes: ['form'], formLimit: '4kb' }), (ctx) => {
    const { slug, add, quantity } = create(ctx.request.body, BagForm);
    const product = findProduct(slug);
    const bag = bagOf(ctx);
    if (!product || !(add ?? quantity)) return showPage(ctx, refusedPage, { status: 400 });

    const oneMore = Math.min(quantityOf(bag, product) + 1, MAX_QUANTITY);
    keepBag(ctx, withQuantity(bag, product, add ? oneMore : Number(quantity)));
    seeOther(ctx, '/bag');
  });

  return router;
}
