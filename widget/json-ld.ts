type Thing = Partial<Record<string, unknown>>;

/** Properties of JSON-LD that lead to the prices of a page. */
const PATHS = ['offers', 'hasVariant', 'priceSpecification', '@graph', 'mainEntity'];

/**
 * Properties of `Offer` and of price specifications, as JSON, that make a price another one than what anyone pays for one unit: its
 * type, buyers, quantity, unit, period or component.
 *
 * @see https://schema.org/Offer and https://schema.org/UnitPriceSpecification
 */
const CONDITION =
  /^(?!\w+null)((eligible[^R]|ref|bus|priceT)(?!.*(Sell|alue":"?1\b|Sale|Enduser))|(eligible.*|ref.*)?unit(?!.*C62)|lease|priceCo\w+T|billing|@type.*Charge|validForM)/;

/**
 * Returns the prices in JSON-LD that anyone pays for one unit, as text. Without such prices, returns the others, as rates. They are those of every
 * `Offer` and its price specifications, or the `lowPrice` of an `AggregateOffer`, in `offers` of any object, including objects in
 * `hasVariant`, `@graph` and `mainEntity`.
 */
export function pricesIn(value: unknown): string {
  const prices = collect(value, '');
  const current = prices.filter((price) => !price.includes('/'));
  return (current[0] ? current : prices).join();
}

/** Returns prices such as `USD 12 `, or `USD 12 / billingDuration` for a price with a condition. @param currency - That of the parent. */
function collect(value: unknown, currency: unknown): string[] {
  if (!value) return [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON-LD of the page: values without such properties do not give a price
  const thing = value as Thing;
  const { lowPrice, price = lowPrice, priceCurrency = currency } = thing;
  const children: unknown[] = Array.isArray(value) ? value : PATHS.map((name) => thing[name]);
  let prices = children.flatMap((child) => collect(child, priceCurrency));
  if (price) {
    // oxlint-disable-next-line typescript/restrict-template-expressions, typescript/no-base-to-string -- an object is not a price, and refused
    const text = `${priceCurrency} ${Number(price) || price} `;
    // An offer may repeat the price of its price specification, and a lowest price is that of an offer.
    const same = prices.filter((other) => other.startsWith(text));
    if (lowPrice) prices = same;
    if (!same.length) prices.push(text);
  }
  const condition = Object.keys(thing).find((name) => CONDITION.test(name + JSON.stringify(thing[name])));
  return condition ? prices.map((text) => `${text}/ ${condition}`) : prices;
}
