import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { createFinancing } from '../../widget/recipes/shop/financing.ts';
import { Orders } from '../../widget/recipes/shop/orders.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import type { TestMerchant, TestService } from '../support/service.ts';

type Route = (request: Request) => Response | Promise<Response>;

export interface RecipeShop {
  url: string;
  serviceUrl: string;
  merchant: TestMerchant;
  orders: Orders;
  /** Events that its pages sent to its analytics, oldest first. */
  tracked: Record<string, unknown>[];
  /** Sends a signed callback to a path of the shop. @returns The status of the response. */
  callBack(path: string, callback: { transactionId: string; orderRef: string }): Promise<number>;
  /** Routes by method and path, such as `GET /product`. A path that ends in `/*` matches any last segment. */
  routes: Map<string, Route>;
}

/** Starts a shop on a separate origin with the routes that all recipes share. Tests add the pages. */
export async function startRecipeShop(service: TestService): Promise<RecipeShop> {
  const { server, url, stop } = await listen();
  onCleanup(stop);
  const merchant = await service.createMerchant({ name: 'Recipes', storeUrl: `${url}/`, origins: [url] });
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map(({ secret }) => secret);
  const orders = new Orders();
  const { apiKey, secret } = merchant;
  const keys = { serviceUrl: service.publicUrl, apiKey, secret, callbackSecrets };
  const financing = createFinancing({ ...keys, shopUrl: url, orders });
  const tracked: RecipeShop['tracked'] = [];
  const routes = new Map<string, Route>([
    ['GET /checkout/financing', financing.startCheckout],
    ['POST /financing/callback', financing.handleCallback],
    ['GET /favicon.ico', () => new Response(null, { status: 204 })],
    ['GET /thank-you', () => htmlPage('<h1>Thank you</h1>')],
    [
      'POST /analytics',
      async (request) => {
        tracked.push((await request.json()) as Record<string, unknown>);
        return new Response(null, { status: 204 });
      },
    ],
  ]);
  server.on('request', respondWith(url, routes));
  const callBack: RecipeShop['callBack'] = async (path, callback) => {
    const { transactionId: id } = callback;
    const body = JSON.stringify(callback);
    const sentAt = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(callbackSecrets[0]!).sign(id, sentAt, body),
    };
    return (await fetch(`${url}/${path}`, { method: 'POST', body, headers })).status;
  };
  return { url, serviceUrl: service.publicUrl, merchant, orders, tracked, callBack, routes };
}

export const htmlPage = (html: string): Response =>
  new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });

const respondWith =
  (url: string, routes: ReadonlyMap<string, Route>): RequestListener =>
  (incoming, outgoing) => {
    void (async () => {
      const { method = 'GET', headers } = incoming;
      const { pathname } = new URL(incoming.url!, url);
      const route = routes.get(`${method} ${pathname}`) ?? routes.get(`${method} ${pathname.replace(/[^/]*$/, '*')}`) ?? notFound;
      const init = { method, headers: headers as Record<string, string> };
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: await buffer(incoming) };
      const response = await route(new Request(new URL(incoming.url!, url), { ...init, ...body }));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  };

const notFound = () => new Response('Not found', { status: 404 });
