/** The platform API for applications that were made on the checkout pages. */
import { signedAgreement } from '../../../../server/agreements/agreement.ts';
import { normalizedAddressHash } from '@fairterm/client';
import { assert } from 'superstruct';
import { v5 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { lastUsDayEnd } from '../../../../server/base/time.ts';
import { Application, ApplicationList } from '../../../../shared/wire/application.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { chair, copyOf, createCart, open, type Page, sessionUrl, submit } from '../../../support/checkout.ts';
import { listApplications, requestToken, startService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';

const usd = (value: number) => ({ currency: 'USD', value });
const lamp = {
  ...chair,
  name: 'Lamp',
  sku: 'LAMP-1',
  price: 5_000,
  quantity: 3,
  imageUrl: 'https://shop.example/lamp.png',
  detailUrl: '/lamp',
};

/** $750.00 + 3 × $50.00 - $60.00 discount + $10.00 shipping + $85.01 tax = $935.01. */
const basket: Partial<CartOptions> = {
  items: [chair, lamp],
  discounts: [{ amount: 6_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 1_000 }],
  tax: 8_501,
};

/** Unique values that the platform API must not expose. */
const secrets = { dateOfBirth: '03/17/1968', annualIncome: '$8,135,729', signedName: 'Ada Augusta King Lovelace' };
const SECRET =
  /1968-03-17|03\/17\/1968|8,?135,?729|augusta|king|tok_(?:visa|mastercard)|visa 4242|mastercard 4444|credit.history|"income"|"reasons?"|tier|signed|taxId|birth/i;

const shippingFields = {
  shipElsewhere: 'yes',
  shippingFirstName: 'Charles',
  shippingLastName: 'Babbage',
  shippingAddress: '5 Dorset Street',
  shippingAddress2: 'Flat 2',
  shippingCity: 'Chicago',
  shippingState: 'IL',
  shippingZip: '60601',
};

const service = await startService();
const merchant = await service.createMerchant();

describe('An application on the platform API', () => {
  /** Creates a cart, and functions that fill in its checkout and read its application from the platform API and the database. */
  async function createBuyer(options: Partial<CartOptions> = basket, seller = merchant) {
    const cart = await createCart(seller, options);
    const token = await requestToken(service.publicUrl, seller);
    const retrieve = async (query = ''): Promise<Application> => {
      const { status, body, text } = await listApplications(service.publicUrl, token, `limit=200&metadata.eq=false${query}`);
      expect(status).toBe(200);
      assert(body, ApplicationList);
      expect(text).not.toMatch(SECRET);
      return body.applications.find(({ cartID }) => cartID === cart.id)!;
    };
    const fillIn = async (pages: number, fields: Record<string, string> = {}): Promise<Page> => {
      let page = await open(cart.url);
      for (let filled = 0; filled < pages; filled++) page = await submit(page, { ...secrets, ...fields });
      return page;
    };
    const row = () => storedApplication(service.database, cart.id);
    return { cart, retrieve, fillIn, row };
  }

  const unitsOf = ({ order }: Application) =>
    order.items.map(({ sku, quantity, unitPrice, unitTax }) => [sku, quantity, unitPrice.value, unitTax.value]);

  it('is listed once the buyer has entered their details, with the order and without contact details [APP-7] [APP-11] [ORDER-1] [ORDER-2] [ORDER-3] [ORDER-4] [ORDER-5]', async () => {
    const { cart, retrieve, fillIn } = await createBuyer();
    expect(await retrieve()).toBeUndefined();
    await fillIn(1);

    const application = await retrieve();
    expect(application).toEqual({
      id: expect.any(String),
      buyerID: expect.any(String),
      tenantID: merchant.tenantId,
      merchantID: merchant.merchantId,
      programID: expect.any(String),
      cartID: cart.id,
      status: 'STARTED',
      statusCode: '100000',
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
    // The tax of $85.01 is divided in proportion to the prices: $70.84 for the chair, $14.17 for three lamps.
    expect(unitsOf(application)).toEqual([
      ['CHAIR-1', 1, 75_000, 7_084],
      ['LAMP-1', 2, 5_000, 472],
      ['LAMP-1', 1, 5_000, 473],
    ]);
    const urls = { imageUrl: lamp.imageUrl, detailUrl: lamp.detailUrl, itemUrl: lamp.detailUrl };
    expect(application.order.items[1]).toMatchObject({ name: 'Lamp', shippingCost: usd(0), ...urls });
  });

  it('has the changed address, shipping address and shipping option, and contact details only after the purchase', async () => {
    const shippingOptions = [
      { type: 'Ground', typeId: 'ground', cost: 1_000 },
      { type: 'Express', typeId: 'express', cost: 2_500 },
    ];
    const { cart, retrieve } = await createBuyer({ items: [chair], shippingOptions });
    const applying = await submit(await open(cart.url), { shippingTypeId: 'ground' });
    const before = await retrieve();
    expect(before.order).toMatchObject({ totalShipping: usd(1_000), totalPrice: usd(76_000) });

    let page = await submit(await open(`${sessionUrl(applying)}/details`), {
      shippingTypeId: 'express',
      address: '13 Analytical Way',
      ...shippingFields,
    });
    for (const _step of ['apply', 'plans', 'agreement']) {
      const { billingContact, shippingContact, offers } = await retrieve();
      expect([billingContact, shippingContact]).toEqual([undefined, undefined]);
      expect(Array.isArray(offers)).toBe(true);
      page = await submit(page);
    }
    const after = await retrieve();
    expect(after.status).toBe('CHECKOUT_COMPLETED');
    expect(after).toMatchObject({ id: before.id, buyerID: before.buyerID, createdAt: before.createdAt });
    expect(after.order).toMatchObject({ totalShipping: usd(2_500), totalPrice: usd(77_500) });
    expect(after.billingContact!.address!.address1).toBe('13 Analytical Way');
    const ofBuyer = { phone: '+15550100100', email: 'ada@example.com' };
    expect(after.shippingContact).toMatchObject({ name: { givenName: 'Charles' }, address: { postalCode: '60601' }, ...ofBuyer });
  });

  it('has offers after its approval, and a payment agreement after its completion [APP-15] [APP-16]', async () => {
    const { retrieve, fillIn, row } = await createBuyer();
    const atPlans = await fillIn(2);
    const approved = await retrieve();
    expect(approved).toMatchObject({ status: 'APPROVED', statusCode: '200000', paymentAgreements: [] });
    expect(approved.offers.map(({ planID }) => planID)).toEqual(['standard-24', 'standard-12', 'standard-6']);
    const { id, programID } = approved;
    for (const offer of approved.offers) {
      expect(offer).toMatchObject({ id: v5(offer.planID, id), programID, amountFinanced: usd(93_501), capacity: usd(93_501) });
    }

    const agreement = await submit(atPlans, secrets);
    expect(await retrieve()).toMatchObject({ status: 'CHECKOUT_PREPARED', offers: approved.offers, paymentAgreements: [] });
    const done = await submit(agreement, secrets);
    expect(done.status).toBe(303);

    const { paymentAgreements, requestId } = await row();
    const stored = signedAgreement({ paymentAgreements })!;
    const completed = await retrieve();
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
      disclosure: { creditor: 'Fairterm Lending', amountFinanced: usd(93_501) },
      status: 'COMPLETED',
      updatedAt: completed.updatedAt,
    });

    // The secret of the buyer’s copy and the id of the credit request must not be exposed.
    const copy = await copyOf(await open(sessionUrl(agreement)), service.database);
    expect(JSON.stringify(completed)).not.toContain(copy.slice(-22));
    expect(JSON.stringify(completed)).not.toContain(requestId!);
  });

  it('with a card portion has a payment method, and offers for the financed portion [APP-6]', async () => {
    const partialApproval = { taxIdLast4: '1101' };
    const { retrieve, fillIn, row } = await createBuyer({ items: [chair] });
    const atPlans = await fillIn(2, partialApproval);
    const approved = await retrieve();
    expect(approved).toMatchObject({ status: 'APPROVED', statusCode: '200100' });
    expect(approved).not.toHaveProperty('paymentMethodID');
    expect(new Set(approved.offers.map(({ amountFinanced }) => amountFinanced.value))).toEqual(new Set([45_000]));
    expect(approved.order.totalPrice).toEqual(usd(75_000));

    const atCard = await submit(atPlans, partialApproval);
    expect(await retrieve()).toMatchObject({ status: 'ATTEMPTED_PREPARE_CHECKOUT' });
    expect(await retrieve()).not.toHaveProperty('paymentMethodID');
    await submit(atCard, { card: 'tok_visa' });
    const { paymentMethodID, status } = await retrieve();
    expect([status, paymentMethodID]).toEqual(['CHECKOUT_PREPARED', expect.stringMatching(/^[0-9a-f-]{36}$/)]);

    await submit(await open(`${sessionUrl(atCard)}/plans`), { offerId: approved.offers[1]!.planID });
    expect((await retrieve()).paymentMethodID).toBe(paymentMethodID);
    const atAgreement = await submit(await open(`${sessionUrl(atCard)}/card`), { card: 'tok_mastercard' });
    const { paymentMethodID: another } = await retrieve();
    expect([undefined, paymentMethodID]).not.toContain(another);

    expect(await submit(atAgreement, secrets)).toMatchObject({ status: 303 });
    const completed = await retrieve();
    expect(completed).toMatchObject({ status: 'CHECKOUT_COMPLETED', paymentMethodID: another });
    expect(completed.paymentAgreements[0]).toMatchObject({
      offer: approved.offers[1],
      disclosure: { amountFinanced: usd(45_000) },
    });
    expect((await row()).cardReference).toBe('tok_mastercard');
  });

  it.each<[status: string, code: string, taxIdLast4: string, storedReasons: RegExp]>([
    ['DENIED', '300000', '2001', /delinquency/],
    ['DENIED', '300000', '2002', /income/],
    ['INELIGIBLE', '310300', '3001', /"reasons":\[\]/],
    ['NEEDS_ACTION', '400000', '4001', /"reasons":\[\]/],
  ])(
    'that is %s (%s, tax id %s) has an order, but no offers and no reasons',
    async (status, statusCode, taxIdLast4, storedReasons) => {
      const { retrieve, fillIn, row } = await createBuyer();
      await fillIn(2, { taxIdLast4 });
      const application = await retrieve();
      expect(application).toMatchObject({ status, statusCode, offers: [], paymentAgreements: [] });
      expect(application.order.totalPrice).toEqual(usd(93_501));
      const { decision, sessionHash } = await row();
      expect(JSON.stringify(decision)).toMatch(storedReasons);
      expect(sessionHash).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(application)).not.toContain(sessionHash);
    },
  );

  it('that was cancelled still has its offers', async () => {
    const { retrieve, fillIn } = await createBuyer();
    const page = await fillIn(2);
    const { offers } = await retrieve();
    await submit(await open(`${sessionUrl(page)}/cancel`));
    expect(await retrieve()).toMatchObject({ status: 'CANCELLED', statusCode: '700100', offers, paymentAgreements: [] });
    expect(offers).toHaveLength(3);
  });

  it.each<[string, object, number]>([
    ['above shipping and tax has the shipping and tax of its transaction', { customTotal: 50_000, tax: 2_000 }, 1_000],
    ['below shipping and tax has the shipping that is left after tax', { customTotal: 5_500, tax: 5_000 }, 500],
  ])('of a customTotal %s, and no discount', async (_title, options, statedShipping) => {
    const { retrieve, fillIn } = await createBuyer({ ...options, items: [chair], shippingOptions: basket.shippingOptions });
    const { headers } = await fillIn(4);
    const id = new URL(headers.get('location')!).searchParams.get('transactionId');
    const { shippingCost, totalTax, total } = (await merchant.get(`/transactions/${id}`)).body;
    expect((await retrieve()).order).toMatchObject({
      totalDiscounts: usd(0),
      totalShipping: usd(statedShipping),
      totalTax: usd(totalTax),
      totalPrice: usd(total),
    });
    expect(shippingCost).toBe(1_000);
  });

  it('has the metadata of its cart only on request [LIST-8]', async () => {
    const metadata = { channel: 'web', 'till 3': '', 'ünï🪑': 'two\nlines', constructor: 'x' };
    const { cart, retrieve, fillIn } = await createBuyer({ ...basket, metadata });
    expect((await merchant.get(`/carts/${cart.id}`)).body.options.metadata).toEqual(metadata);
    await fillIn(1);
    expect(await retrieve()).not.toHaveProperty('metadata');
    const token = await requestToken(service.publicUrl, merchant);
    const { body } = await listApplications(service.publicUrl, token, 'metadata.eq=true&limit=200');
    const application = body.applications.find(({ cartID }: Application) => cartID === cart.id);
    expect(application.metadata).toEqual(metadata);
    const plain = await createBuyer({ customTotal: 50_000 });
    await plain.fillIn(1);
    const newest = await listApplications(service.publicUrl, token, 'metadata.eq=true&limit=1');
    expect(newest.body.applications[0]).toMatchObject({ cartID: plain.cart.id, metadata: {} });
  });

  describe('of a buyer', () => {
    const cartsOfBuyer = async (buyer: string, seller = merchant): Promise<string[]> => {
      const { body } = await listApplications(
        service.publicUrl,
        await requestToken(service.publicUrl, seller),
        `buyerID.eq=${buyer}`,
      );
      return body.applications.map(({ cartID }: Application) => cartID);
    };

    it('identified by the merchant is listed with the buyer’s other applications', async () => {
      const buyerId = '01890a5d-ac96-774b-bcce-b302099a8057';
      const first = await createBuyer({ ...basket, buyerId });
      const second = await createBuyer({ customTotal: 50_000, buyerId: buyerId.toUpperCase() });
      for (const { fillIn } of [first, second]) await fillIn(1);
      expect(await cartsOfBuyer(buyerId)).toEqual([second.cart.id, first.cart.id]);
      expect(await cartsOfBuyer(buyerId, await service.createMerchant())).toEqual([]);
    });

    it('without a buyer ID is listed alone, even if another buyer has the same e-mail address', async () => {
      const one = await createBuyer();
      const other = await createBuyer();
      for (const { fillIn } of [one, other]) await fillIn(1);
      const { buyerID } = await one.retrieve();
      expect(await cartsOfBuyer(buyerID)).toEqual([one.cart.id]);
    });
  });

  it('is found by the hash of its current address, and not of an earlier one', async () => {
    const seller = await service.createMerchant();
    const { cart } = await createBuyer(basket, seller);
    const cartsWithHash = async (hash: string) => {
      const token = await requestToken(service.publicUrl, seller);
      const { body } = await listApplications(service.publicUrl, token, `normalizedAddressHash.eq=${hash}`);
      return body.applications.map(({ cartID }: Application) => cartID);
    };
    const applying = await submit(await open(cart.url), { address: '1  Main St' });
    const hashOf = (address1: string) =>
      normalizedAddressHash({ address1, locality: 'springfield', region: 'IL', postalCode: '62701-9999', country: 'US' });
    const hash = await hashOf('1 MAIN ST');
    expect(await cartsWithHash(hash)).toEqual([cart.id]);
    expect(await cartsWithHash(hash.toUpperCase())).toEqual([cart.id]);

    await submit(await open(`${sessionUrl(applying)}/details`), { address: '2 Main St', ...shippingFields });
    expect(await cartsWithHash(hash)).toEqual([]);
    expect(await cartsWithHash(await hashOf('2 Main St'))).toEqual([cart.id]);
    const shippingAddress = { address1: '5 Dorset Street', address2: 'Flat 2', locality: 'Chicago', region: 'IL' };
    expect(await cartsWithHash(await normalizedAddressHash({ ...shippingAddress, postalCode: '60601', country: 'US' }))).toEqual(
      [],
    );
  });
});
