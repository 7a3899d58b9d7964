import { describe, expect, it } from 'vitest';
import { createCart } from '../../support/checkout.ts';
import { exchange } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('Every response', () => {
  it.each<[string, () => Promise<Headers>]>([
    ['of the merchant API', async () => (await merchant.get(`/carts/${(await createCart(merchant)).id}`)).headers],
    ['of an error', async () => (await merchant.get('/transactions/x')).headers],
    ['without credentials', async () => (await fetch(`${service.publicUrl}/api/application`)).headers],
    ['of a checkout page', async () => (await fetch((await createCart(merchant)).url)).headers],
    ['of the documentation', async () => (await fetch(`${service.publicUrl}/docs`)).headers],
    ['of a script', async () => (await fetch(`${service.publicUrl}/widget/v1/financing-button.js`)).headers],
    ['of an unknown path', async () => (await fetch(`${service.publicUrl}/nothing`)).headers],
    [
      'to bytes that are not HTTP',
      async () => {
        const { responses } = await exchange(Number(new URL(service.publicUrl).port), 'not HTTP\r\n\r\n');
        return new Headers(responses[0]!.headers);
      },
    ],
  ])(
    '%s has `nosniff` and a Content Security Policy against plugins, `<base>` and unknown frame ancestors (ASVS 3.2.1, 3.4.3, 3.4.6)',
    async (_title, headersOf) => {
      const headers = await headersOf();
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'|object-src 'none'/);
      expect(policy).toMatch(/base-uri 'none'/);
      expect(policy).toMatch(/frame-ancestors /);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});
