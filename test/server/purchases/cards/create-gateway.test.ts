import { describe, expect, it } from 'vitest';
import { createCardGateway } from '../../../../server/purchases/cards/create-gateway.ts';
import { sandboxGateway } from '../../../../server/purchases/cards/sandbox-gateway.ts';
import { readConfig } from '../../../../server/base/config/config.ts';

const gatewayOf = (env: Record<string, string>) => createCardGateway(readConfig(env), () => undefined);

const now = '2026-11-21T09:30:00.000000Z';

describe('The card gateway', () => {
  it('is the sandbox gateway in sandbox mode without a key', async () => {
    expect(await gatewayOf({})).toBe(sandboxGateway);
  });

  it('is Stripe when a key is configured', async () => {
    for (const env of [{ CARD_STRIPE_KEY: 'sk_test_1' }, { MODE: 'live', CARD_STRIPE_KEY: 'rk_live_1' }]) {
      const gateway = (await gatewayOf(env))!;
      expect(gateway).not.toBe(sandboxGateway);
      // A value that is not a session ID is rejected without a request to Stripe.
      expect(
        await gateway.finishEntry({ applicationId: 'a', amountCents: 50, currency: 'USD', language: 'en' }, 'tok_visa'),
      ).toBeNull();
    }
  });

  it('also accepts the test cards in sandbox mode with Stripe', async () => {
    const gateway = (await gatewayOf({ CARD_STRIPE_KEY: 'sk_test_1' }))!;
    expect(await gateway.authorize('tok_declined', 50, now)).toMatchObject({ outcome: 'declined' });
    expect(await gateway.authorize('tok_visa', 50, now)).toMatchObject({ outcome: 'authorized' });
    await expect(gateway.capture('tok_capture_fails_once', 50, 1)).rejects.toMatchObject({ name: 'CardFailure' });
    await gateway.release('tok_visa');
    await gateway.refund('tok_visa', 50, 'refund-1');
  });

  it('is undefined in live mode without a configured gateway', async () => {
    expect(await gatewayOf({ MODE: 'live' })).toBeUndefined();
  });

  it.each([
    ['live', 'sk_test_51Secret'],
    ['live', 'rk_test_51Secret'],
    ['live', 'pk_live_51Secret'],
    ['live', 'sk_live_'],
    ['live', 'sk_live_51Secret\nx'],
    ['sandbox', 'sk_live_51Secret'],
    ['sandbox', 'whsec_51Secret'],
    ['sandbox', 'x sk_test_51Secret'],
  ])('rejects a key that is invalid in %s mode, and does not repeat it in the error: %j', (mode, key) => {
    const read = () => readConfig({ MODE: mode, CARD_STRIPE_KEY: key });
    expect(read).toThrow(/^CARD_STRIPE_KEY: expected a secret key of Stripe for a (live|sandbox) service/);
    expect(read).not.toThrow(/51Secret/);
  });
});
