import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../server/openapi/document.ts';
import type { Json } from '../../support/json.ts';
import { newAjv } from '../../support/conformance.ts';
import { givenTransaction } from '../../support/given.ts';
import { givenReceiver, type Received } from '../../support/receiver.ts';
import { givenService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

describe('The callback of a purchase', () => {
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
  const { parameters, requestBody }: Json = document.webhooks.checkoutCompleted.post;
  let received: Received;
  beforeAll(async () => {
    const receiver = await givenReceiver();
    const service = await givenService();
    await givenTransaction(await service.givenMerchant(), { callbackUrl: receiver.url, orderRef: 'ORDER-1' });
    await until(() => receiver.received.length > 0);
    [received] = receiver.received as [Received];
  });

  it('is what the document says of it, and nothing more', () => {
    const Callback = { ...document.components.schemas.Callback, additionalProperties: false };
    const validate = newAjv().compile({
      ...requestBody.content['application/json'].schema,
      components: { schemas: { Callback } },
    });
    expect([validate(JSON.parse(received.body)), validate.errors]).toEqual([true, null]);
    expect([received.method, received.headers['content-type']]).toEqual(['POST', 'application/json']);
  });

  it('has every header that the document says it has', () => {
    const missing = parameters.map(({ name }: Json) => name).filter((name: string) => received.headers[name] === undefined);
    expect(missing).toEqual([]);
  });
});
