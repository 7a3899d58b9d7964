import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../../server/http/openapi/document.ts';
import { type Json, newAjv } from '../../../support/conformance.ts';
import { completeCheckout } from '../../../support/checkout.ts';
import { type Received, startReceiver } from '../../../support/http.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

describe('The callback after a checkout', () => {
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
  const { parameters, requestBody }: Json = document.webhooks.checkoutCompleted!.post;
  let received: Received;
  beforeAll(async () => {
    const receiver = await startReceiver();
    const service = await startService();
    await completeCheckout(await service.createMerchant(), { callbackUrl: receiver.url, orderRef: 'ORDER-1' });
    await until(() => receiver.received.length > 0);
    [received] = receiver.received as [Received];
  });

  it('has exactly the documented fields', () => {
    const Callback = { ...document.components.schemas.Callback, additionalProperties: false };
    const validate = newAjv().compile({
      ...requestBody.content['application/json'].schema,
      components: { schemas: { Callback } },
    });
    expect([validate(JSON.parse(received.body)), validate.errors]).toEqual([true, null]);
    expect([received.method, received.headers['content-type']]).toEqual(['POST', 'application/json']);
  });

  it('has every documented header', () => {
    const missing = parameters.map(({ name }: Json) => name).filter((name: string) => received.headers[name] === undefined);
    expect(missing).toEqual([]);
  });
});
