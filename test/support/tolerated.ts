/** `sent` in the words of the document, where the service understands others as well (server/decisions/0016-openapi.md). */
export function asMeant(sent: unknown, field = ''): unknown {
  if (CONTACTS.has(field) && isNobody(sent)) return null;
  if (AMOUNTS.has(field) && typeof sent === 'number') return wholeCents(sent);
  if (Array.isArray(sent)) return sent.map((entry) => asMeant(field === 'lineItems' ? withSku(entry) : entry));
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asMeant(value, name)]));
}

const CONTACTS = new Set(['shippingContact', 'billingContact']);
const AMOUNTS = new Set(['amount', 'cost', 'customTotal', 'price', 'tax']);

/** False, or an object that says neither who nor where. */
function isNobody(sent: unknown): boolean {
  if (sent === false) return true;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false;
  const { fullName, firstName, lastName, address, city } = sent as Record<string, unknown>;
  const isBlank = (said: unknown) => said === undefined || said === null || (typeof said === 'string' && /^\s*$/.test(said));
  return [fullName, firstName, lastName, address, city].every(isBlank);
}

function wholeCents(amount: number): number {
  const nearest = Math.round(amount);
  return nearest !== 0 && Math.abs(amount - nearest) < 0.0001 ? nearest : amount;
}

/** A line as it was read: its sku stands in its product. */
function withSku(entry: unknown): unknown {
  const { sku, product } = (entry ?? {}) as { sku?: unknown; product?: { sku?: unknown } | null };
  const isMissing = sku === undefined || sku === null;
  return isMissing && typeof product?.sku === 'string' ? { ...(entry as object), sku: product.sku } : entry;
}
