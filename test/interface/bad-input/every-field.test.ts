/**
 * Sends every kind of value for every field of every request. A value is accepted if the field's rule in `requests.ts` accepts it.
 * All others are rejected with 400 and the path of the field, and change nothing.
 */
import { describe, expect, it } from 'vitest';
import { createCart, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
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
import { deep, parsed, type Value, values, serialize } from './values.ts';

/** Result of a request: the title of the value, the status, the code, and the path of the rejected field. */
type Result = [title: string, status: number, code: string | undefined, path: string | undefined];

/** Result of a request with a valid value. */
type ValidResult = [status: number, code?: string, path?: string];

const service = await startService();
const merchant = await service.createMerchant();
const { id: canceled, transaction: before } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }]);

describe('Any value of a field is accepted or rejected as specified [CHOICE-10] [LIM-4] [LIM-5] [LIM-6]', () => {
  const transaction = async () => (await merchant.get(`/transactions/${canceled}`)).body;
  const carts = async () => (await service.database.query.selectFrom('carts').select('id').execute()).length;

  const send = async (method: string, path: string, { request, kind }: Field, value: Value): Promise<Result> => {
    const sent = serialize(request, value);
    // Accepted text must match the OpenAPI document, which is not checked for bytes.
    const isUndocumented = kind.isUndocumented?.(parsed(value)) === true;
    const { status, body } = await merchant.call(method, path, { body: isUndocumented ? Buffer.from(sent) : sent });
    const rejectedAt = /^At path: (\S+) -- /.exec(body.description ?? '')?.[1];
    return [value[0], status, body.code, rejectedAt];
  };
  const expectedResult = ({ path, kind }: Field, value: Value, valid: ValidResult): Result => {
    const [title] = value;
    if (value === deep) return [title, 400, 'invalid-request', undefined];
    const accepted = kind.accepts(parsed(value));
    if (accepted === true) return [title, valid[0], valid[1], valid[2]];
    const below = typeof accepted === 'string' && (accepted.startsWith('.') ? path + accepted : accepted);
    return [title, 400, 'invalid-request', below || path];
  };
  /** @param resultOf - Result of a request that is valid, which can be an error of the operation. */
  const expectSpecified = async (
    method: string,
    path: string,
    field: Field,
    resultOf: (value: Value) => [number, string?, string?],
  ) => {
    const loggedBefore = service.logged.length;
    const inputs = [...values, ...field.kind.edges, deep].filter(
      ([, json], index, others) => others.findIndex((other) => other[1] === json) === index,
    );
    const results = await Promise.all(inputs.map((value) => send(method, path, field, value)));
    const specified = inputs.map((value) => expectedResult(field, value, resultOf(value)));
    expect(results).toEqual(specified);
    expect(service.logged.slice(loggedBefore).filter((entry) => entry.includes('"error"'))).toEqual([]);
    return specified;
  };
  const withTitles = (fields: Field[]) =>
    fields.map((field): [string, Field] => {
      const { type } = field.request as { type?: string };
      return [type && field.path !== 'type' ? `${field.path} of ${type}` : field.path, field];
    });

  const cartIds = '[ERR-5] [CART-12] [CART-21] [CART-22] [CART-26] [CART-27] [CART-28]';
  it.each(withTitles(cartFields))(`in POST /carts: %s ${cartIds}`, async (_title, field) => {
    const count = await carts();
    const results = await expectSpecified('POST', '/carts', field, () => [200]);
    expect(await carts(), 'only accepted carts are stored').toBe(count + results.filter(([, status]) => status === 200).length);
  });

  it.each(withTitles(actionFields))('in POST /transactions/actions/:tx-id: %s [TX-7]', async (_title, field) => {
    await expectSpecified('POST', `/transactions/actions/${canceled}`, field, () => [500, 'wrong-state']);
    expect(await transaction()).toEqual(before);
  });

  it.each(withTitles(shipmentFields))('in POST /transactions/:tx-id/shipment: %s [TX-19] [TX-20]', async (_title, field) => {
    await expectSpecified('POST', `/transactions/${canceled}/shipment`, field, () => [500, 'wrong-state']);
    expect(await transaction()).toEqual(before);
  });

  it.each(withTitles(orderIdFields))('in PUT /transactions/:tx-id: %s [TX-5] [ERR-4]', async (_title, field) => {
    const path = `/transactions/${canceled}`;
    await expectSpecified('PUT', path, field, () => [200]);
    await merchant.call('PUT', path, { body: '{"merchantOrderId":"M-1"}' });
    for (const value of values.filter((candidate) => field.kind.accepts(parsed(candidate)) !== true)) {
      await send('PUT', path, field, value);
    }
    expect(await transaction()).toEqual({ ...(before as object), merchantOrderId: 'M-1' });
    await merchant.call('PUT', path, { body: '{"merchantOrderId":""}' });
  });

  it.each([
    ...withTitles(emailFields).map(([title, field]) => ['email', title, field] as const),
    ...withTitles(textFields).map(([title, field]) => ['text', title, field] as const),
  ])('in POST /carts/:cartId/%s: %s [CART-39] [CART-42]', async (channel, _title, field) => {
    const { id } = await createCart(merchant);
    await merchant.post(`/carts/${id}/expire`);
    await expectSpecified('POST', `/carts/${id}/${channel}`, field, () => [400, 'cart-closed']);
  });

  it.each(withTitles(quoteFields))('in POST /aslowas: %s [ALA-1] [ALA-2]', async (_title, field) => {
    const unknownProgram = ([, json]: Value): ValidResult =>
      field.path === 'customTotal' || json === undefined || json === 'null' || json === '""'
        ? [200]
        : [400, 'program-not-found', 'financingProgramId'];
    await expectSpecified('POST', '/aslowas', field, unknownProgram);
  });

  it.each(withTitles(checkoutFields))('in POST /sandbox/checkouts: %s', async (_title, field) => {
    await expectSpecified('POST', '/sandbox/checkouts', field, () => [404, 'cart-not-found']);
  });
});
