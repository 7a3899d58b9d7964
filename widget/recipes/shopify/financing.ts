import { createHmac, timingSafeEqual } from 'node:crypto';
import { CallbackError, type CartOptions, Fairterm, FairtermError, type FairtermOptions, verifyCallback } from '@fairterm/client';

export interface FinancingOptions extends FairtermOptions {
  /** Public URLs of the shop and of the app's server, without trailing slashes. */
  shopUrl: string;
  appUrl: string;
  appSecret: string;
  callbackSecrets: readonly string[];
  /** `https://acme.myshopify.com/admin/api/2026-01/graphql.json` */
  adminUrl: string;
  /** Access token of an app with the scopes `write_draft_orders` and `write_orders`. */
  adminToken: string;
}

/** Timeout for creating a cart, while the buyer waits. */
const CART_TIMEOUT_MS = 10_000;

/** The currency of the financing programs. Orders in others are not financed. */
const CURRENCY = 'USD';

/** The two routes of a Shopify app. Its app proxy forwards `/apps/financing/…` of the shop to this server. */
export function createFinancing({
  shopUrl,
  appUrl,
  appSecret,
  callbackSecrets,
  adminUrl,
  adminToken,
  ...service
}: FinancingOptions) {
  const fairterm = new Fairterm(service);
  const drafts = draftOrders({ adminUrl, adminToken });
  const alone = createLock();

  /** `GET /checkout?variant=…`, the URL of the button: creates a draft order at Shopify's price and a cart, and redirects to it. */
  async function startCheckout(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (!isFromShopify(searchParams, appSecret, Date.now() / 1_000)) return new Response('Not from Shopify', { status: 401 });
    const variantId = /^\d{1,20}$/.exec(searchParams.get('variant') ?? '')?.[0];
    try {
      const draft = variantId && (await drafts.create(variantId));
      if (!draft) return new Response('Variant not found', { status: 404 });
      if (draft.currency !== CURRENCY) throw new Error(`Expected a draft order in ${CURRENCY}, but received ${draft.currency}`);
      const options: CartOptions = {
        orderRef: draft.id,
        customTotal: draft.totalCents,
        callbackUrl: `${appUrl}/callback`,
        completeUrl: `${shopUrl}/pages/thank-you`,
        errorUrl: shopUrl,
      };
      const { url } = await fairterm.carts.create({ options }, { signal: AbortSignal.timeout(CART_TIMEOUT_MS) });
      const location = new URL(url);
      // The button sets `display` if its `mode` is `popup` or `modal`.
      const display = searchParams.get('display');
      if (display) location.searchParams.set('display', display);
      return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } });
    } catch (error) {
      // Shopify or the service rejected the request or timed out. The buyer is still in the shop and can pay another way.
      console.error(`No checkout for variant ${variantId}:`, error);
      return new Response('Financing is not available just now. Please choose another way to pay.', { status: 503 });
    }
  }

  /** `POST /callback`: confirms the order of a purchase. The service retries the callback until the response is 2xx. */
  async function handleCallback(request: Request): Promise<Response> {
    try {
      const body = await request.text();
      const { transactionId, orderRef } = await verifyCallback({ body, headers: request.headers, secrets: callbackSecrets });
      const isKnown = await alone(orderRef, () => confirm(orderRef, transactionId));
      return new Response(null, { status: isKnown ? 204 : 404 });
    } catch (error) {
      if (error instanceof CallbackError) return new Response(error.message, { status: 400 });
      throw error;
    }
  }

  /** Authorizes the transaction and completes the draft. Returns false if there is no such draft. */
  async function confirm(orderRef: string, transactionId: string): Promise<boolean> {
    const draft = await drafts.find(orderRef);
    if (!draft) return false;
    if (draft.status === 'COMPLETED') {
      if (draft.transactionId !== transactionId) await cancelSecond(draft, transactionId);
      return true;
    }
    const { total, status, merchantOrderId } = await fairterm.transactions.retrieve(transactionId);
    // The signed total or the currency differs from the order. The draft stays open for manual review.
    if (total !== draft.totalCents || draft.currency !== CURRENCY) return true;
    if (status === 'PENDING') {
      try {
        await fairterm.transactions.authorize(transactionId, { merchantOrderId: orderRef });
      } catch (error) {
        if (!(error instanceof FairtermError) || !error.isCardDecline) throw error;
        await fairterm.transactions.cancel(transactionId);
        return true;
      }
    } else if (status !== 'AUTHORIZED' || merchantOrderId !== orderRef) return true;
    await drafts.setTransaction(draft, transactionId);
    if (await drafts.complete(orderRef)) return true;
    const current = await drafts.find(orderRef);
    // The callback is retried.
    if (current?.status !== 'COMPLETED') throw new Error(`Expected Shopify to complete ${orderRef}`);
    await cancelSecond(current, transactionId);
    return true;
  }

  /** Cancels another purchase of an order that is paid, by financing or another method. The buyer would have to pay both. */
  async function cancelSecond({ order }: DraftOrder, transactionId: string): Promise<void> {
    if (order?.note?.includes(transactionId)) return;
    let { status } = await fairterm.transactions.retrieve(transactionId);
    if (status === 'PENDING' || status === 'AUTHORIZED') ({ status } = await fairterm.transactions.cancel(transactionId));
    const note = `Transaction ${transactionId} is a second purchase of this order, which was paid. It is ${status}.`;
    if (order) await drafts.setNote(order.id, [order.note, note].filter(Boolean).join('\n'));
  }

  return { startCheckout, handleCallback };
}

/** Returns a function that runs the work of one order at a time. With several processes, lock the order in your database instead. */
function createLock() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(orderRef: string, work: () => Promise<T>): Promise<T> => {
    const done = (last.get(orderRef) ?? Promise.resolve()).then(work);
    const settled = done.catch(() => undefined);
    last.set(orderRef, settled);
    await settled;
    if (last.get(orderRef) === settled) last.delete(orderRef);
    return done;
  };
}

const ONE_MINUTE_SECONDS = 60;

/**
 * Returns true if Shopify's app proxy forwarded the request. The proxy signs the query with the secret of the app.
 *
 * @param nowSeconds - Unix time. A request older than a minute is rejected, because it may be a replay of an observed URL.
 */
export function isFromShopify(query: URLSearchParams, appSecret: string, nowSeconds: number): boolean {
  const names = [...new Set(query.keys())].filter((name) => name !== 'signature').toSorted();
  const signed = names.map((name) => `${name}=${query.getAll(name).join(',')}`).join('');
  const expected = createHmac('sha256', appSecret).update(signed).digest();
  const given = Buffer.from(query.get('signature') ?? '', 'hex');
  const isFresh = Math.abs(nowSeconds - Number(query.get('timestamp') ?? Number.NaN)) <= ONE_MINUTE_SECONDS;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

/** An unpaid order of one variant at Shopify's price. */
interface DraftOrder {
  id: string;
  status: 'OPEN' | 'INVOICE_SENT' | 'COMPLETED';
  totalCents: number;
  currency: string;
  attributes: Attribute[];
  /** The transaction that paid it; undefined before, and if it was paid by another method. */
  transactionId: string | undefined;
  /** The order, once the draft is completed. */
  order: Draft['order'];
}

interface Attribute {
  key: string;
  value: string;
}

/** The attribute of an order with the id of its transaction. */
const TRANSACTION_KEY = 'Financing transaction';

const FIELDS = 'id status totalPriceSet { shopMoney { amount currencyCode } } customAttributes { key value } order { id note }';

/** The operations of Shopify's Admin API that a checkout needs. */
function draftOrders({ adminUrl, adminToken }: Pick<FinancingOptions, 'adminUrl' | 'adminToken'>) {
  async function request(query: string, variables: Record<string, unknown>): Promise<DraftOrder | undefined> {
    const response = await fetch(adminUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': adminToken },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`Expected status 200 from Shopify, but received ${response.status}`);
    const { data } = (await response.json()) as GraphqlResponse;
    const draft = data?.result?.draftOrder ?? data?.draftOrder;
    if (!draft) return undefined;
    const { amount, currencyCode } = draft.totalPriceSet.shopMoney;
    const { id, status, customAttributes: attributes, order } = draft;
    const transactionId = attributes.find(({ key }) => key === TRANSACTION_KEY)?.value;
    return { id, status, totalCents: Math.round(Number(amount) * 100), currency: currencyCode, attributes, transactionId, order };
  }

  return {
    /** Returns undefined if the variant does not exist. */
    create: (variantId: string) =>
      request(`mutation ($input: DraftOrderInput!) { result: draftOrderCreate(input: $input) { draftOrder { ${FIELDS} } } }`, {
        input: { lineItems: [{ variantId: `gid://shopify/ProductVariant/${variantId}`, quantity: 1 }] },
      }),
    find: (id: string) => request(`query ($id: ID!) { draftOrder(id: $id) { ${FIELDS} } }`, { id }),
    /** Stores the transaction that pays the order, which inherits the attributes of its draft. */
    setTransaction: ({ id, attributes }: DraftOrder, transactionId: string) => {
      const others = attributes.filter(({ key }) => key !== TRANSACTION_KEY).map(({ key, value }) => ({ key, value }));
      return request(
        `mutation ($id: ID!, $input: DraftOrderInput!) { result: draftOrderUpdate(id: $id, input: $input) { draftOrder { ${FIELDS} } } }`,
        { id, input: { customAttributes: [...others, { key: TRANSACTION_KEY, value: transactionId }] } },
      );
    },
    setNote: (id: string, note: string) =>
      request('mutation ($input: OrderInput!) { result: orderUpdate(input: $input) { order { id } } }', { input: { id, note } }),
    /** Turns the draft into a paid order. */
    complete: (id: string) =>
      request(`mutation ($id: ID!) { result: draftOrderComplete(id: $id) { draftOrder { ${FIELDS} } } }`, { id }),
  };
}

interface GraphqlResponse {
  data?: { result?: { draftOrder?: Draft | null } | null; draftOrder?: Draft | null };
}

interface Draft {
  id: string;
  status: DraftOrder['status'];
  totalPriceSet: { shopMoney: { amount: string; currencyCode: string } };
  customAttributes: Attribute[];
  order: { id: string; note: string | null } | null;
}
