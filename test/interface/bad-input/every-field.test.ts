/**
 * Every field of every request gets every kind of value. What its rule takes is taken, and all else is refused with 400 that names
 * the field and stores nothing. Which rule, `requests.ts` says; the engine of the database has no part in it.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createCart, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import {
  actionFields,
  cartFields,
  checkoutFields,
  emailFields,
  textFields,
  type Field,
  orderIdFields,
  quoteFields,
  shipmentFields,
} from './requests.ts';
import { deep, parsed, type Value, values, written } from './values.ts';

/** How a request ended: its status, its code, and where it was refused. */
type End = [what: string, status: number, code: string | undefined, path: string | undefined];

/** How a request ends that is well-formed. */
type Taken = [status: number, code?: string, path?: string];

describe('Every field accepts or rejects any value with a specified response [CHOICE-10] [LIM-4] [LIM-5] [LIM-6]', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let canceled: string;
  let before: unknown;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    ({ id: canceled, transaction: before } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }]));
  });
  const transaction = async () => (await merchant.get(`/transactions/${canceled}`)).body;
  const carts = async () => (await service.database.query.selectFrom('carts').select('id').execute()).length;

  const endOf = async (method: string, path: string, { request, kind }: Field, value: Value): Promise<End> => {
    const sent = written(request, value);
    // What is sent as text and taken must be what the OpenAPI document says; bytes need not.
    const isTolerated = kind.tolerates?.(parsed(value)) === true;
    const { status, body } = await merchant.call(method, path, { body: isTolerated ? Buffer.from(sent) : sent });
    const rejectedAt = /^At path: (\S+) -- /.exec(body.description ?? '')?.[1];
    return [value[0], status, body.code, rejectedAt];
  };
  const expected = ({ path, kind }: Field, value: Value, taken: Taken): End => {
    const [what] = value;
    if (value === deep) return [what, 400, 'invalid-request', undefined];
    const takes = kind.takes(parsed(value));
    if (takes === true) return [what, taken[0], taken[1], taken[2]];
    const below = typeof takes === 'string' && (takes.startsWith('.') ? path + takes : takes);
    return [what, 400, 'invalid-request', below || path];
  };
  /** @param taken - What a well-formed request names may not be there, or be over. */
  const expectDefinite = async (
    method: string,
    path: string,
    field: Field,
    taken: (value: Value) => [number, string?, string?],
  ) => {
    const loggedBefore = service.logged.length;
    const all = [...values, ...field.kind.edges, deep].filter(
      ([, json], index, every) => every.findIndex((one) => one[1] === json) === index,
    );
    const ends = await Promise.all(all.map((value) => endOf(method, path, field, value)));
    const wanted = all.map((value) => expected(field, value, taken(value)));
    expect(ends).toEqual(wanted);
    expect(service.logged.slice(loggedBefore).filter((entry) => entry.includes('"error"'))).toEqual([]);
    return wanted;
  };
  const titled = (fields: Field[]) =>
    fields.map((field): [string, Field] => {
      const { type } = field.request as { type?: string };
      return [type && field.path !== 'type' ? `${field.path} of ${type}` : field.path, field];
    });

  it.each(titled(cartFields))('POST /carts: %s [ERR-5]', async (_title, field) => {
    const count = await carts();
    const ends = await expectDefinite('POST', '/carts', field, () => [200]);
    expect(await carts(), 'rejected carts are not stored').toBe(count + ends.filter(([, status]) => status === 200).length);
  });

  it.each(titled(actionFields))('POST /transactions/actions/:tx-id: %s [TX-7]', async (_title, field) => {
    await expectDefinite('POST', `/transactions/actions/${canceled}`, field, () => [500, 'wrong-state']);
    expect(await transaction()).toEqual(before);
  });

  it.each(titled(shipmentFields))('POST /transactions/:tx-id/shipment: %s [TX-19] [TX-20]', async (_title, field) => {
    await expectDefinite('POST', `/transactions/${canceled}/shipment`, field, () => [500, 'wrong-state']);
    expect(await transaction()).toEqual(before);
  });

  it.each(titled(orderIdFields))('PUT /transactions/:tx-id: %s [TX-5] [ERR-4]', async (_title, field) => {
    const path = `/transactions/${canceled}`;
    await expectDefinite('PUT', path, field, () => [200]);
    await merchant.call('PUT', path, { body: '{"merchantOrderId":"M-1"}' });
    for (const value of values.filter((one) => field.kind.takes(parsed(one)) !== true)) {
      await endOf('PUT', path, field, value);
    }
    expect(await transaction()).toEqual({ ...(before as object), merchantOrderId: 'M-1' });
    await merchant.call('PUT', path, { body: '{"merchantOrderId":""}' });
  });

  it.each([
    ...titled(emailFields).map(([title, field]) => ['email', title, field] as const),
    ...titled(textFields).map(([title, field]) => ['text', title, field] as const),
  ])('POST /carts/:cartId/%s: %s [CART-39] [CART-42]', async (channel, _title, field) => {
    const { id } = await createCart(merchant);
    await merchant.post(`/carts/${id}/expire`);
    await expectDefinite('POST', `/carts/${id}/${channel}`, field, () => [400, 'cart-closed']);
  });

  it.each(titled(quoteFields))('POST /aslowas: %s [ALA-1] [ALA-2]', async (_title, field) => {
    const unknownProgram = ([, json]: Value): Taken =>
      field.path === 'customTotal' || json === undefined || json === 'null' || json === '""'
        ? [200]
        : [400, 'program-not-found', 'financingProgramId'];
    await expectDefinite('POST', '/aslowas', field, unknownProgram);
  });

  it.each(titled(checkoutFields))('POST /sandbox/checkouts: %s', async (_title, field) => {
    await expectDefinite('POST', '/sandbox/checkouts', field, () => [404, 'cart-not-found']);
  });
});
