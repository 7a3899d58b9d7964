/** What the platform API shows of purchases that buyers make on the pages of the checkout. */
import { normalizedAddressHash } from 'fairterm/client';
import { assert } from 'superstruct';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleContact } from '../../../../server/openapi/resources/applications.ts';
import { lastUsDayEnd } from '../../../../server/time.ts';
import { Application, ApplicationList } from '../../../../shared/wire/application.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { chair, copyIn, createCart, open, type Page, sessionUrl, submit } from '../../../support/checkout.ts';
import { listApplications, requestToken, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

const usd = (value: number) => ({ currency: 'USD', value });
const lamp = { ...chair, name: 'Lamp', sku: 'LAMP-1', price: 5_000, quantity: 3, imageUrl: 'https://shop.example/lamp.png' };

/** $750.00 and 3 times $50.00, less $60.00, $10.00 to ship, $85.01 of tax: $935.01. */
const basket: Partial<CartOptions> = {
  items: [chair, lamp],
  discounts: [{ amount: 6_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 1_000 }],
  tax: 8_501,
};

/** What only the buyer, the lender or the card's gateway may know; no two things have it by chance. */
const secrets = { dateOfBirth: '03/17/1968', annualIncome: '$8,135,729', signedName: 'Augusta A. King' };
const SECRET =
  /1968-03-17|03\/17\/1968|8,?135,?729|augusta|king|tok_(?:visa|mastercard)|visa 4242|mastercard 4444|credit.history|"income"|"reasons?"|tier|signed|taxId|birth/i;

/** Whom a buyer has it shipped to instead. */
const elsewhere = {
  shipElsewhere: 'yes',
  shippingFirstName: 'Charles',
  shippingLastName: 'Babbage',
  shippingAddress: '5 Dorset Street',
  shippingAddress2: 'Flat 2',
  shippingCity: 'Chicago',
  shippingState: 'IL',
  shippingZip: '60601',
};

describe('An application on the platform API', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  /** A buyer at the first page of a checkout, and how the platform API shows their application. */
  async function givenBuyer(options: Partial<CartOptions> = basket, of = merchant) {
    const cart = await createCart(of, options);
    const token = await requestToken(service.publicUrl, of);
    const shown = async (query = ''): Promise<Application> => {
      const { status, body, text } = await listApplications(service.publicUrl, token, `limit=200&metadata.eq=false${query}`);
      expect(status).toBe(200);
      assert(body, ApplicationList);
      expect(text).not.toMatch(SECRET);
      return body.applications.find(({ cartID }) => cartID === cart.id)!;
    };
    const fillIn = async (pages: number, over: Record<string, string> = {}): Promise<Page> => {
      let page = await open(cart.url);
      for (let filled = 0; filled < pages; filled++) page = await submit(page, { ...secrets, ...over });
      return page;
    };
    const row = () =>
      service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cart.id).executeTakeFirstOrThrow();
    return { cart, shown, fillIn, row };
  }

  const unitsOf = ({ order }: Application) =>
    order.items.map(({ sku, quantity, unitPrice, unitTax }) => [sku, quantity, unitPrice.value, unitTax.value]);

  it('is listed once the buyer has entered their details, with the order and the address', async () => {
    const { cart, shown, fillIn } = await givenBuyer();
    expect(await shown()).toBeUndefined();
    await fillIn(1);

    const application = await shown();
    expect(application).toEqual({
      id: expect.any(String),
      buyerID: expect.any(String),
      tenantID: merchant.tenantId,
      merchantID: merchant.merchantId,
      programID: expect.any(String),
      cartID: cart.id,
      status: 'STARTED',
      statusCode: '100000',
      billingContact: exampleContact,
      shippingContact: application.billingContact,
      order: {
        subTotal: usd(90_000),
        totalDiscounts: usd(6_000),
        totalShipping: usd(1_000),
        totalTax: usd(8_501),
        totalPrice: usd(93_501),
        items: expect.any(Array),
      },
      offers: [],
      paymentAgreements: [],
      createdAt: expect.any(String),
      updatedAt: application.createdAt,
      expiresAt: lastUsDayEnd(cart.expiration),
    });
    // $85.01 by what they cost: $70.84 of tax for the chair, $14.17 for three lamps.
    expect(unitsOf(application)).toEqual([
      ['CHAIR-1', 1, 75_000, 7_084],
      ['LAMP-1', 2, 5_000, 472],
      ['LAMP-1', 1, 5_000, 473],
    ]);
    expect(application.order.items[1]).toMatchObject({ name: 'Lamp', imageUrl: lamp.imageUrl, detailUrl: '' });
  });

  it('has a second address, a different shipping address, and the chosen shipping option after changes', async () => {
    const shippingOptions = [
      { type: 'Ground', typeId: 'ground', cost: 1_000 },
      { type: 'Express', typeId: 'express', cost: 2_500 },
    ];
    const { cart, shown } = await givenBuyer({ items: [chair], shippingOptions });
    const applying = await submit(await open(cart.url), { shippingTypeId: 'ground' });
    const before = await shown();
    expect(before.order).toMatchObject({ totalShipping: usd(1_000), totalPrice: usd(76_000) });

    await submit(await open(`${sessionUrl(applying)}/details`), {
      shippingTypeId: 'express',
      address: '13 Analytical Way',
      ...elsewhere,
    });
    const after = await shown();
    expect(after).toMatchObject({ id: before.id, buyerID: before.buyerID, createdAt: before.createdAt });
    expect(after.order).toMatchObject({ totalShipping: usd(2_500), totalPrice: usd(77_500) });
    expect(after.billingContact!.address!.address1).toBe('13 Analytical Way');
    expect(after.shippingContact).toEqual({
      name: { givenName: 'Charles', familyName: 'Babbage' },
      // How the buyer is reached.
      phone: '+15550100100',
      email: 'ada@example.com',
      address: {
        address1: '5 Dorset Street',
        address2: 'Flat 2',
        locality: 'Chicago',
        postalCode: '60601',
        region: 'US-IL',
        country: 'US',
      },
    });
  });

  it('has its offers once it is approved, and its agreement once it is signed', async () => {
    const { shown, fillIn, row } = await givenBuyer();
    const atPlans = await fillIn(2);
    const approved = await shown();
    expect(approved).toMatchObject({ status: 'APPROVED', statusCode: '200000', paymentAgreements: [] });
    expect(approved.offers.map(({ id, termLength, apr }) => [id, termLength, apr])).toEqual([
      ['standard-24', 24, 0.0999],
      ['standard-12', 12, 0.0799],
      ['standard-6', 6, 0.0599],
    ]);
    for (const { programID, amountFinanced, financeCharge, totalOfPayments } of approved.offers) {
      expect([programID, amountFinanced]).toEqual([approved.programID, usd(93_501)]);
      expect(totalOfPayments.value).toBe(amountFinanced.value + financeCharge.value);
    }

    const agreement = await submit(atPlans, secrets);
    expect(await shown()).toMatchObject({ status: 'CHECKOUT_PREPARED', offers: approved.offers, paymentAgreements: [] });
    const done = await submit(agreement, secrets);
    expect(done.status).toBe(303);

    const { payment_agreements_json, request_id } = await row();
    const [stored] = JSON.parse(payment_agreements_json);
    const completed = await shown();
    expect(completed).toMatchObject({ status: 'CHECKOUT_COMPLETED', statusCode: '610000', offers: approved.offers });
    expect(completed.order).toEqual(approved.order);
    expect(completed).not.toHaveProperty('paymentMethodID');
    expect(completed.paymentAgreements).toHaveLength(1);
    const [signed] = completed.paymentAgreements;
    expect(signed).toMatchObject({
      id: stored.id,
      offer: approved.offers[0],
      consentedAt: stored.signedAt,
      disclosureHash: stored.disclosureHash,
      documentHash: stored.documentHash,
      disclosure: { creditor: 'Fairterm Lending', apr: 0.0999, amountFinanced: usd(93_501), dueToday: usd(0) },
    });
    const paid = signed!.disclosure.payments.reduce((sum, { amount }) => sum + amount.value, 0);
    expect(signed!.disclosure.payments).toHaveLength(24);
    expect(usd(paid)).toEqual(signed!.offer.totalOfPayments);

    // The code of the buyer’s copy and the reference of the credit request must not be exposed.
    const copy = copyIn(await open(sessionUrl(agreement)));
    expect(JSON.stringify(completed)).not.toContain(copy.slice(-22));
    expect(JSON.stringify(completed)).not.toContain(request_id!);
  });

  it('has a payment method, and offers for the financed part, if a card pays a part', async () => {
    const part = { taxIdLast4: '1101' };
    const { shown, fillIn, row } = await givenBuyer({ items: [chair] });
    const atPlans = await fillIn(2, part);
    const approved = await shown();
    expect(approved).toMatchObject({ status: 'APPROVED', statusCode: '200100' });
    expect(approved).not.toHaveProperty('paymentMethodID');
    expect(new Set(approved.offers.map(({ amountFinanced }) => amountFinanced.value))).toEqual(new Set([45_000]));
    expect(approved.order.totalPrice).toEqual(usd(75_000));

    const atCard = await submit(atPlans, part);
    expect(await shown()).toMatchObject({ status: 'ATTEMPTED_PREPARE_CHECKOUT' });
    expect(await shown()).not.toHaveProperty('paymentMethodID');
    await submit(atCard, { card: 'tok_visa' });
    const { paymentMethodID, status } = await shown();
    expect([status, paymentMethodID]).toEqual(['CHECKOUT_PREPARED', expect.stringMatching(/^[0-9a-f-]{36}$/)]);

    await submit(await open(`${sessionUrl(atCard)}/plans`), { offerId: approved.offers[1]!.id });
    expect((await shown()).paymentMethodID).toBe(paymentMethodID);
    const again = await submit(await open(`${sessionUrl(atCard)}/card`), { card: 'tok_mastercard' });
    const { paymentMethodID: another } = await shown();
    expect([undefined, paymentMethodID]).not.toContain(another);

    expect(await submit(again, secrets)).toMatchObject({ status: 303 });
    const completed = await shown();
    expect(completed).toMatchObject({ status: 'CHECKOUT_COMPLETED', paymentMethodID: another });
    expect(completed.paymentAgreements[0]).toMatchObject({
      offer: approved.offers[1],
      disclosure: { amountFinanced: usd(45_000) },
    });
    expect((await row()).card_reference).toBe('tok_mastercard');
  });

  it.each<[status: string, code: string, taxIdLast4: string, why: RegExp]>([
    ['DENIED', '300000', '2001', /credit-history/],
    ['DENIED', '300000', '2002', /income/],
    ['INELIGIBLE', '310000', '3001', /^\[\]$/],
    ['NEEDS_ACTION', '400000', '4001', /^\[\]$/],
  ])('that is %s has an order, but no offers or reasons (%s, by %s)', async (status, statusCode, taxIdLast4, why) => {
    const { shown, fillIn, row } = await givenBuyer();
    await fillIn(2, { taxIdLast4 });
    const application = await shown();
    expect(application).toMatchObject({ status, statusCode, offers: [], paymentAgreements: [] });
    expect(application.order.totalPrice).toEqual(usd(93_501));
    const { denial_reasons_json, session_hash } = await row();
    expect(denial_reasons_json).toMatch(why);
    expect(session_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(application)).not.toContain(session_hash);
  });

  it('that was cancelled has its previous offers', async () => {
    const { shown, fillIn } = await givenBuyer();
    const page = await fillIn(2);
    const { offers } = await shown();
    await submit(await open(`${sessionUrl(page)}/cancel`));
    expect(await shown()).toMatchObject({ status: 'CANCELLED', statusCode: '700100', offers, paymentAgreements: [] });
    expect(offers).toHaveLength(3);
  });

  it('that the lender withdrew from after the signature has its agreement', async () => {
    const { shown, fillIn } = await givenBuyer();
    await submit(await fillIn(3, { taxIdLast4: '6002' }), secrets);
    expect(await shown()).toMatchObject({
      status: 'DENIED',
      statusCode: '300900',
      paymentAgreements: [{ offer: { id: 'standard-24' } }],
    });
  });

  it('of a cart with a customTotal has an order with one price', async () => {
    const { shown, fillIn } = await givenBuyer({ customTotal: 50_000, tax: 2_000, items: [chair] });
    await fillIn(2);
    expect((await shown()).order).toEqual({
      subTotal: usd(48_000),
      totalDiscounts: usd(0),
      totalShipping: usd(0),
      totalTax: usd(2_000),
      totalPrice: usd(50_000),
      items: [],
    });
  });

  it.each<[string, object]>([
    ['that leaves room for them', { customTotal: 50_000, tax: 2_000 }],
    ['below them', { customTotal: 5_500, tax: 5_000 }],
  ])('of a custom total %s has the shipping and the tax of its transaction', async (_which, options) => {
    const { shown, fillIn } = await givenBuyer({ ...options, items: [chair], shippingOptions: basket.shippingOptions });
    const { headers } = await fillIn(4);
    const id = new URL(headers.get('location')!).searchParams.get('transactionId');
    const { shippingCost, totalTax, total } = (await merchant.get(`/transactions/${id}`)).body;
    expect((await shown()).order).toMatchObject({
      totalShipping: usd(shippingCost),
      totalTax: usd(totalTax),
      totalPrice: usd(total),
    });
    expect(shippingCost).toBe(1_000);
  });

  describe('of a cart with metadata', () => {
    const metadata = { channel: 'web', 'till 3': '', 'ünï🪑': 'two\nlines', constructor: 'x' };

    it('is returned on request', async () => {
      const { cart, shown, fillIn } = await givenBuyer({ ...basket, metadata });
      expect((await merchant.get(`/carts/${cart.id}`)).body.options.metadata).toEqual(metadata);
      await fillIn(1);
      expect(await shown()).not.toHaveProperty('metadata');
      const token = await requestToken(service.publicUrl, merchant);
      const { body } = await listApplications(service.publicUrl, token, 'metadata.eq=true&limit=200');
      const of = (id: string) => body.applications.find(({ cartID }: Application) => cartID === id);
      expect(of(cart.id).metadata).toEqual(metadata);
      const plain = await givenBuyer({ customTotal: 50_000 });
      await plain.fillIn(1);
      const again = await listApplications(service.publicUrl, token, 'metadata.eq=true&limit=1');
      expect(again.body.applications[0]).toMatchObject({ cartID: plain.cart.id, metadata: {} });
    });
  });

  describe('of a buyer', () => {
    const found = async (buyer: string, of = merchant): Promise<string[]> => {
      const { body } = await listApplications(
        service.publicUrl,
        await requestToken(service.publicUrl, of),
        `buyerID.eq=${buyer}`,
      );
      return body.applications.map(({ cartID }: Application) => cartID);
    };

    it('identified by the merchant is listed with the buyer’s other applications', async () => {
      const buyerId = '01890a5d-ac96-774b-bcce-b302099a8057';
      const first = await givenBuyer({ ...basket, buyerId });
      const second = await givenBuyer({ customTotal: 50_000, buyerId: buyerId.toUpperCase() });
      for (const { fillIn } of [first, second]) await fillIn(1);
      expect(await found(buyerId)).toEqual([second.cart.id, first.cart.id]);
      expect(await found(buyerId, await service.createMerchant())).toEqual([]);
    });

    it('without a buyer ID of the merchant is listed alone, whatever the email address', async () => {
      const [one, other] = [await givenBuyer(), await givenBuyer()];
      for (const { fillIn } of [one, other]) await fillIn(1);
      const { buyerID } = await one.shown();
      expect(await found(buyerID)).toEqual([one.cart.id]);
    });
  });

  it('is found by the hash of its current address, and not of an earlier one', async () => {
    const seller = await service.createMerchant();
    const { cart, shown } = await givenBuyer(basket, seller);
    const found = async (hash: string) => {
      const token = await requestToken(service.publicUrl, seller);
      const { body } = await listApplications(service.publicUrl, token, `normalizedAddressHash.eq=${hash}`);
      return body.applications.map(({ cartID }: Application) => cartID);
    };
    const applying = await submit(await open(cart.url), { address: '1  Main St' });
    const { billingContact } = await shown();
    const hash = await normalizedAddressHash(billingContact!.address!);
    expect(hash).toBe(
      await normalizedAddressHash({
        address1: '1 MAIN ST',
        locality: 'springfield',
        region: 'IL',
        postalCode: '62701-9999',
        country: 'US',
      }),
    );
    expect(await found(hash)).toEqual([cart.id]);
    expect(await found(hash.toUpperCase())).toEqual([cart.id]);

    await submit(await open(`${sessionUrl(applying)}/details`), { address: '2 Main St', ...elsewhere });
    expect(await found(hash)).toEqual([]);
    const changed = await shown();
    expect(await found(await normalizedAddressHash(changed.billingContact!.address!))).toEqual([cart.id]);
    expect(await found(await normalizedAddressHash(changed.shippingContact!.address!))).toEqual([]);
  });
});
