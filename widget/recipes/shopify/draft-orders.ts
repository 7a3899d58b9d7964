/** An unpaid order of one variant at Shopify's price. */
export interface DraftOrder {
  id: string;
  status: 'OPEN' | 'INVOICE_SENT' | 'COMPLETED';
  totalCents: number;
}

export interface ShopifyOptions {
  /** `https://acme.myshopify.com/admin/api/2026-01/graphql.json` */
  adminUrl: string;
  /** Access token of an app with the scope `write_draft_orders`. */
  adminToken: string;
}

const FIELDS = 'id status totalPriceSet { shopMoney { amount currencyCode } }';

/** The operations of Shopify's Admin API that a checkout needs. */
export function draftOrders({ adminUrl, adminToken }: ShopifyOptions) {
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
    if (currencyCode !== 'USD') throw new Error(`Expected a draft order in USD, but received ${currencyCode}`);
    return { id: draft.id, status: draft.status, totalCents: Math.round(Number(amount) * 100) };
  }

  return {
    /** Returns undefined if the variant does not exist. */
    create: (variantId: string) =>
      request(`mutation ($input: DraftOrderInput!) { result: draftOrderCreate(input: $input) { draftOrder { ${FIELDS} } } }`, {
        input: { lineItems: [{ variantId: `gid://shopify/ProductVariant/${variantId}`, quantity: 1 }] },
      }),
    find: (id: string) => request(`query ($id: ID!) { draftOrder(id: $id) { ${FIELDS} } }`, { id }),
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
}
