/** A database of the release before the platform API, with applications in it, brought up to date. */
import { Sqlite } from '../../../server/db/driver.ts';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { assert } from 'superstruct';
import { beforeAll, expect, it } from 'vitest';
import { disclosureHash } from '../../../server/checkout/signing/agreement.ts';
import { presentAgreement, presentOffer } from '../../../server/checkout/session/present.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { newId } from '../../../server/ids.ts';
import { boxOf } from '../../../shared/disclosure/box.ts';
import { normalizedAddressHash } from '../../../shared/normalized-address.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { PaymentAgreement } from '../../../shared/wire/application.ts';
import { Order } from '../../../shared/wire/order.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, type Engine, givenDatabaseUrl } from '../../support/engines.ts';
import { chair, program } from '../../support/given.ts';
import { elaborateProgram } from '../../support/programs.ts';

const at = '2026-11-21T09:30:00.000000Z';
const [PLAIN, DINARS] = [newId(), newId()];
const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '5550100100',
  address: '12  Haupts\u00dfe',
  address2: '',
  city: 'Nu\u0308rnberg',
  state: 'IL',
  zip: '62701',
};

/** What was signed under a program, as it was stored. */
function signedUnder(sold: typeof program, date = '2026-11-21') {
  const plan = plansFor(rateSheet(sold, 'IL'), 120_000, date).find(({ tierId }) => tierId === 'A')!;
  const disclosure = boxOf(sold, plan, { date, state: 'IL', merchantName: 'Acme' });
  const agreement = { id: newId(), disclosure, disclosureHash: disclosureHash(disclosure), signedName: 'A. King', signedAt: at };
  const offer = presentOffer(plan, { programId: PLAIN, currency: 'USD' });
  return { agreement, shown: presentAgreement(agreement, offer) };
}

const modern = signedUnder(program);
const elaborate = signedUnder(elaborateProgram);
const documented = { ...modern.agreement, documentHash: 'd'.repeat(64) };
/** The first disclosures named their creditor, and had no currency, down payment or penalty. */
const { currency: _currency, dueTodayCents: _due, prepayment: _prepayment, ...bare } = modern.agreement.disclosure;
const early = { ...modern.agreement, disclosure: { ...bare, creditor: bare.creditor.name } };

interface Old {
  options?: object;
  totals?: object;
  signed?: object[];
  contact?: object;
  offers?: string[];
  shipping?: string;
  card?: string;
  program?: string;
}

const totals = { itemsCents: 75_000, discountsCents: 0, shippingCents: 0, taxCents: null, totalCents: 75_000 };
const olds = {
  'was decided': { totals: { ...totals, taxCents: 1_200, totalCents: 76_200 }, offers: ['standard-24', 'standard-12'] },
  'was decided without tax': { totals },
  'was not decided, shipping chosen': {
    options: { items: [{ ...chair, quantity: 2 }], discounts: [{ amount: 100 }], shippingOptions: [ground], tax: 300 },
    shipping: 'ground',
  },
  'was not decided, of one total': { options: { customTotal: 5_000, tax: 5_000, items: [chair] } },
  'was signed': { signed: [modern.agreement] },
  'was signed under fees and a down payment': { signed: [elaborate.agreement] },
  'was signed with a copy': { signed: [documented] },
  'was signed at first': { signed: [early] },
  'pays a part by card': { card: 'tok_visa' },
  'is of a place nobody knows': { contact: { ...ada, zip: '' } },
  'is in dinars': { program: DINARS, options: { customTotal: 7_000 } },
} satisfies Record<string, Old>;

function connect(engine: Engine, url: string): Kysely<any> {
  const path = url.slice('sqlite:'.length);
  const postgres = () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
  return new Kysely<any>({ dialect: engine === 'sqlite' ? new SqliteDialect({ database: new Sqlite(path) }) : postgres() });
}

function rowsOf(name: string, old: Old) {
  const references = { merchant_id: 'm', program_id: old.program ?? PLAIN, created_at: at };
  const options_json = JSON.stringify(old.options ?? { items: [chair] });
  const cart = { ...references, id: name, code: name, status: 'OPEN', created_by: '', expires_on: '2026-11-28', options_json };
  const application = {
    ...references,
    id: name,
    tenant_id: 't',
    buyer_id: 'b',
    cart_id: name,
    status: 'APPROVED',
    status_code: '200000',
    billing_contact_json: JSON.stringify(old.contact ?? ada),
    shipping_contact_json: JSON.stringify(ada),
    shipping_type_id: old.shipping ?? null,
    totals_json: JSON.stringify(old.totals ?? {}),
    offers_json: JSON.stringify(old.offers ?? []),
    payment_agreements_json: JSON.stringify(old.signed ?? []),
    card_reference: old.card ?? '',
    updated_at: at,
    expires_at: at,
    revision: 3,
  };
  return { cart, application };
}

/** More than are read at once. */
const MANY = 1_100;

describeOnEveryEngine('A database from before the platform API', (engine) => {
  let database: Database;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    atTheEnd(remove);
    const before = connect(engine, url);
    const { error } = await createMigrator(before as Kysely<Schema>, engine).migrateTo('0013-widget-files');
    if (error) throw error as Error;
    const insert = (table: string, rows: object | object[]) => before.insertInto(table).values(rows).execute();
    await insert('tenants', { id: 't', name: 'Acme', created_at: at });
    const merchant = { tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', default_program_id: PLAIN };
    await insert('merchants', { id: 'm', ...merchant, created_at: at });
    for (const [id, currency] of [
      [PLAIN, 'USD'],
      [DINARS, 'KWD'],
    ]) {
      await insert('programs', { id, merchant_id: 'm', code: currency, created_at: at });
      const version = { program_id: id, version: 1, status: 'active', effective_from: '1970-01-01', effective_to: null };
      await insert('program_versions', { ...version, document_json: JSON.stringify({ ...program, currency }), created_at: at });
    }
    const all = [
      ...Object.entries<Old>(olds),
      ...Array.from({ length: MANY }, (_, index): [string, Old] => [`many ${index}`, { options: { customTotal: 1 + index } }]),
    ].map(([name, old]) => rowsOf(name, old));
    for (let first = 0; first < all.length; first += 100) {
      const some = all.slice(first, first + 100);
      await insert(
        'carts',
        some.map(({ cart }) => cart),
      );
      await insert(
        'applications',
        some.map(({ application }) => application),
      );
    }
    await before.destroy();

    database = openDatabase(url);
    atTheEnd(() => database.close());
    await database.migrate();
  });

  async function shown(name: keyof typeof olds | `many ${number}`) {
    const row = await database.query.selectFrom('applications').selectAll().where('id', '=', name).executeTakeFirstOrThrow();
    const order = JSON.parse(row.order_json) as Order;
    const agreements = JSON.parse(row.shown_agreements_json) as PaymentAgreement[];
    assert(order, Order);
    for (const agreement of agreements) assert(agreement, PaymentAgreement);
    return { row, order, agreements };
  }
  const pricesOf = ({ subTotal, totalTax, totalPrice }: Order) => [subTotal.value, totalTax.value, totalPrice.value];

  it.each<[name: keyof typeof olds, prices: number[]]>([
    ['was decided', [75_000, 1_200, 76_200]],
    ['was decided without tax', [75_000, 0, 75_000]],
    ['was not decided, shipping chosen', [150_400, 300, 150_700]],
    ['was not decided, of one total', [5_000, 0, 5_000]],
  ])('has an order of one price for what %s', async (name, prices) => {
    const { order } = await shown(name);
    expect(pricesOf(order)).toEqual(prices);
    expect(order).toMatchObject({ items: [], totalDiscounts: { currency: 'USD', value: 0 }, totalShipping: { value: 0 } });
  });

  it('has it in the currency of the program', async () => {
    expect((await shown('is in dinars')).order.totalPrice).toEqual({ currency: 'KWD', value: 7_000 });
  });

  it.each<[name: keyof typeof olds, shown: PaymentAgreement]>([
    ['was signed', modern.shown],
    ['was signed under fees and a down payment', elaborate.shown],
    ['was signed with a copy', { ...modern.shown, documentHash: documented.documentHash }],
    ['was signed at first', modern.shown],
  ])('shows what %s as it would be shown now, and keeps it as it is', async (name, agreement) => {
    const { row, agreements } = await shown(name);
    expect(agreements).toEqual([agreement]);
    expect(row.shown_agreements_json).not.toContain('King');
    expect(JSON.parse(row.payment_agreements_json)).toEqual((olds[name] as Old).signed);
  });

  it('knows applications by where buyers live, where that is known', async () => {
    const { row } = await shown('was decided');
    const { address: address1, city: locality, state: region, zip: postalCode } = ada;
    const address = { address1, locality, region, postalCode, country: 'US' };
    expect(row.normalized_address_hash).toBe(await normalizedAddressHash(address));
    expect((await shown('is of a place nobody knows')).row.normalized_address_hash).toBe('');
  });

  it('has an id for a card, and none where there is no card', async () => {
    expect((await shown('pays a part by card')).row.payment_method_id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await shown('was decided')).row.payment_method_id).toBeNull();
  });

  it('shows no offers it knows the names of alone, no metadata, and nothing as changed', async () => {
    const { row } = await shown('was decided');
    expect(row).toMatchObject({ offers_json: '[]', metadata_json: '{}', updated_at: at, revision: 3 });
  });

  it('has done so for every application', async () => {
    for (const index of [0, 499, 500, 999, 1_000, MANY - 1]) {
      expect(pricesOf((await shown(`many ${index}`)).order)).toEqual([1 + index, 0, 1 + index]);
    }
    const without = database.query.selectFrom('applications').select('id').where('order_json', '=', '{}');
    expect(await without.execute()).toEqual([]);
  });
});
