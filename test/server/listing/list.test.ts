import { describe, expect, it } from 'vitest';
import { completeCheckout } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

describe('GET /api/application', () => {
  it('lists the applications of a merchant for a token of its key pair', async () => {
    const service = await startService();
    const merchant = await service.createMerchant();
    await completeCheckout(merchant, { orderRef: 'ORDER-1' });

    const { apiKey, secret } = merchant;
    const grant = { method: 'POST', body: JSON.stringify({ apiKey, secret }) };
    const { token } = await (await fetch(`${service.publicUrl}/api/auth/service/authorize`, grant)).json();
    const response = await fetch(`${service.publicUrl}/api/application`, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.json();

    expect(response.status).toBe(200);
    expect(body.applications).toMatchObject([
      { tenantID: merchant.tenantId, merchantID: merchant.merchantId, status: 'CHECKOUT_COMPLETED', statusCode: '610000' },
    ]);
  });
});
