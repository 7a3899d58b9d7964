import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';

/** What was stored of an application, and of its cart, as far as it is shown. */
interface OldRow {
  id: string;
  program_id: string;
  totals_json: string;
  payment_agreements_json: string;
  billing_contact_json: string;
  shipping_type_id: string | null;
  card_reference: string;
  options_json: string;
}

/** So many are read at once. */
const BATCH = 500;

/**
 * Fills in what the platform API shows of applications from before it: an order of one price, what was signed, the hash of the
 * address, an id for a card. Which plans were offered was not kept as they are shown: none are.
 */
export async function showApplications(database: Kysely<unknown>): Promise<void> {
  const currencies = new Map<string, string>();
  let last = '';
  for (;;) {
    const { rows } = await sql<OldRow>`
      select applications.id, applications.program_id, totals_json, payment_agreements_json, billing_contact_json, shipping_type_id,
        card_reference, options_json
      from applications join carts on carts.id = cart_id
      where applications.id > ${last} order by applications.id limit ${BATCH}`.execute(database);
    if (rows.length === 0) return;
    for (const row of rows) {
      const currency = currencies.get(row.program_id) ?? (await currencyOf(database, row.program_id));
      currencies.set(row.program_id, currency);
      await sql`
        update applications set order_json = ${JSON.stringify(orderOf(row, currency))}, offers_json = '[]',
          shown_agreements_json = ${JSON.stringify(agreementsOf(row, currency))},
          normalized_address_hash = ${addressHashOf(row)},
          payment_method_id = ${row.card_reference === '' ? null : v7()}
        where id = ${row.id}`.execute(database);
      last = row.id;
    }
  }
}

async function currencyOf(database: Kysely<unknown>, programId: string): Promise<string> {
  const { rows } = await sql<{ document_json: string }>`
    select document_json from program_versions where program_id = ${programId} order by version desc limit 1`.execute(database);
  return (JSON.parse(rows[0]?.document_json ?? '{}') as { currency?: string }).currency ?? 'USD';
}

const moneyIn = (currency: string) => (value: number) => ({ currency, value });

function orderOf(row: OldRow, currency: string) {
  const money = moneyIn(currency);
  const { totalCents, taxCents } = totalsOf(row);
  const taxWithin = taxCents < totalCents ? taxCents : 0;
  return {
    subTotal: money(totalCents - taxWithin),
    totalDiscounts: money(0),
    totalShipping: money(0),
    totalTax: money(taxWithin),
    totalPrice: money(totalCents),
    items: [],
  };
}

interface OldOptions {
  items?: { price: number; quantity: number }[];
  discounts?: { amount: number }[];
  shippingOptions?: { typeId: string; cost: number }[];
  customTotal?: number;
  tax?: number;
}

/** As they were when it was decided; until then they are those of the cart. */
function totalsOf({ totals_json, options_json, shipping_type_id }: OldRow): { totalCents: number; taxCents: number } {
  const kept = JSON.parse(totals_json) as { totalCents?: number; taxCents?: number | null };
  if (kept.totalCents !== undefined) return { totalCents: kept.totalCents, taxCents: kept.taxCents ?? 0 };
  const { items = [], discounts = [], shippingOptions = [], customTotal, tax = 0 } = JSON.parse(options_json) as OldOptions;
  const shipping = shippingOptions.find(({ typeId }) => typeId === shipping_type_id)?.cost ?? 0;
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const itemsCents = sum(items.map(({ price, quantity }) => price * quantity));
  const discountsCents = sum(discounts.map(({ amount }) => amount));
  return { totalCents: customTotal ?? itemsCents - discountsCents + shipping + tax, taxCents: tax };
}

interface OldAgreement {
  id: string;
  disclosure: {
    /** The first ones had a name and no more. */
    creditor: string | { name: string };
    currency?: string;
    offerId: string;
    date: string;
    apr: number;
    financeChargeCents: number;
    amountFinancedCents: number;
    totalOfPaymentsCents: number;
    dueTodayCents?: number;
    payments: { dueOn: string; paymentCents: number }[];
  };
  disclosureHash: string;
  documentHash?: string;
  signedAt: string;
}

function agreementsOf({ payment_agreements_json, program_id }: OldRow, programCurrency: string) {
  const signed = JSON.parse(payment_agreements_json) as OldAgreement[];
  return signed.map(({ id, disclosure: box, disclosureHash, documentHash, signedAt }) => {
    const money = moneyIn(box.currency ?? programCurrency);
    const figures = {
      apr: box.apr,
      financeCharge: money(box.financeChargeCents),
      amountFinanced: money(box.amountFinancedCents),
      totalOfPayments: money(box.totalOfPaymentsCents),
    };
    return {
      id,
      offer: {
        id: box.offerId,
        programID: program_id,
        termLength: box.payments.length,
        termInterval: 'Month',
        monthly: money(levelPaymentOf(box.payments)),
        ...figures,
      },
      consentedAt: signedAt,
      disclosureHash,
      ...(documentHash !== undefined && { documentHash }),
      disclosure: {
        ...figures,
        creditor: typeof box.creditor === 'string' ? box.creditor : box.creditor.name,
        date: box.date,
        dueToday: money(box.dueTodayCents ?? 0),
        payments: box.payments.map(({ dueOn, paymentCents }) => ({ dueDate: dueOn, amount: money(paymentCents) })),
        // No program could have one.
        prepaymentPenalty: false,
      },
    };
  });
}

/** The payment there are most of: the first and the last may differ. */
function levelPaymentOf(payments: { paymentCents: number }[]): number {
  const counts = new Map<number, number>();
  for (const { paymentCents } of payments) counts.set(paymentCents, (counts.get(paymentCents) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

function addressHashOf({ billing_contact_json }: OldRow): string {
  const { address, city, state, zip } = JSON.parse(billing_contact_json) as Record<string, string | undefined>;
  if (!address || !city || !state || !zip) return '';
  const normalized = [folded(address), folded(city), folded(state), folded(zip).slice(0, 5), 'US'].join('|');
  return createHash('sha256').update(normalized).digest('hex');
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/^ | $/g, '');
}
