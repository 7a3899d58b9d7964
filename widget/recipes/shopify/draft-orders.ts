/** An order that is not paid: what Shopify makes of a variant, with its own price. */
export interface DraftOrder {
  id: string;
  status: 'OPEN' | 'INVOICE_SENT' | 'COMPLETED';
  totalCents: number;
}

export interface ShopifyOptions {
  /** `https://acme.myshopify.com/admin/api/2026-01/graphql.json` */
  adminUrl: string;
  /** Of an app that may write draft orders. */
  adminToken: string;
}

const FIELDS = 'id status totalPriceSet { shopMoney { amount currencyCode } }';

/** The three calls of Shopify's Admin API that a checkout takes. */
export function draftOrders({ adminUrl, adminToken }: ShopifyOptions) {
  async function ask(query: string, variables: Record<string, unknown>): Promise<DraftOrder | undefined> {
    const answer = await fetch(adminUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': adminToken },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`Shopify answered ${answer.status}`);
    const { data } = (await answer.json()) as Answer;
    const draft = data?.done?.draftOrder ?? data?.draftOrder;
    if (!draft) return undefined;
    const { amount, currencyCode } = draft.totalPriceSet.shopMoney;
    if (currencyCode !== 'USD') throw new Error(`Expected a draft order in USD, but received ${currencyCode}`);
    return { id: draft.id, status: draft.status, totalCents: Math.round(Number(amount) * 100) };
  }

  return {
    /** Undefined if the variant does not exist. */
    create: (variantId: string) =>
      ask(`mutation ($input: DraftOrderInput!) { done: draftOrderCreate(input: $input) { draftOrder { ${FIELDS} } } }`, {
        input: { lineItems: [{ variantId: `gid://shopify/ProductVariant/${variantId}`, quantity: 1 }] },
      }),
    find: (id: string) => ask(`query ($id: ID!) { draftOrder(id: $id) { ${FIELDS} } }`, { id }),
    /** Makes it an order that is paid. */
    complete: (id: string) =>
      ask(`mutation ($id: ID!) { done: draftOrderComplete(id: $id) { draftOrder { ${FIELDS} } } }`, { id }),
  };
}

interface Answer {
  data?: { done?: { draftOrder?: Draft | null } | null; draftOrder?: Draft | null };
}

interface Draft {
  id: string;
  status: DraftOrder['status'];
  totalPriceSet: { shopMoney: { amount: string; currencyCode: string } };
}
