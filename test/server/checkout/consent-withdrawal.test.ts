/** The withdrawal of the consent to electronic documents: by the lender that the buyer has notified, by an operator, and by the buyer. */
import { beforeAll, describe, expect, it } from 'vitest';
import { canSendCopy } from '../../../server/agreements/document-link.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { deliveryState } from '../../../server/messages/store.ts';
import { copyOf, createCart, open, type Page, reachAgreement, reachStep, sessionUrl, submit } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { type Responder, respondsWith, SECRET, signatureOf, startLender, type TestLender } from '../../support/lenders.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../support/stored.ts';
import { until } from '../../support/time.ts';
import { fairterm } from '../operations/commands/fairterm.ts';

const WITHDRAWN = { consent: 'electronic-documents', state: 'withdrawn' };

describeOnEveryEngine('The consent to electronic documents, once withdrawn,', (engine) => {
  let bank: TestLender;
  let service: TestService;
  let merchant: TestMerchant;
  /** Whether the lender responds to signed agreements. */
  let isDown = false;
  beforeAll(async () => {
    const respond: Responder = (response, request) => {
      const { path } = request;
      if (path.endsWith('/decisions')) {
        return respondsWith({ outcome: 'approved', tierId: 'A', limitCents: null })(response, request);
      }
      if (!path.endsWith('/agreements')) return respondsWith({ outcome: 'recorded' })(response, request);
      return isDown ? void response.writeHead(503).end() : respondsWith({ outcome: 'accepted' })(response, request);
    };
    bank = await startLender(respond);
    service = await startService(engine, { lender: bank.endpoint });
    merchant = await service.createMerchant();
  });

  const run = (...args: string[]) => fairterm(args, { databaseUrl: service.databaseUrl, clock: service.clock });
  const push = async (applicationId: string, body: object, secret = SECRET) => {
    const text = JSON.stringify(body);
    const response = await fetch(`${service.publicUrl}/lender/consents`, {
      method: 'POST',
      headers: { ...signatureOf(applicationId, text, { secret }) },
      body: text,
    });
    return { status: response.status, body: await response.json() };
  };
  /** The e-mails that the sandbox would have sent about a cart, the oldest first. */
  const emailsOf = async (cartId: string) => {
    const recorded = new Set((await merchant.get('/sandbox/messages')).body.messages.map(({ id }: { id: string }) => id));
    return (await storedDeliveries(service.database)).filter((row) => row.cartId === cartId && recorded.has(row.id));
  };
  const codeFor = async (cartId: string) => /\b\d{6}\b/.exec(JSON.parse((await emailsOf(cartId)).at(-1)!.body).text)![0];
  const eventsOf = (applicationId: string) =>
    bank.requests.filter(({ path, body }) => path.endsWith('/events') && body.applicationId === applicationId);
  const noticesOf = (applicationId: string) => bank.notices.filter((notice) => notice.applicationId === applicationId);

  const buy = async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    const signed = await submit(agreement);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    const page = await open(sessionUrl(agreement));
    const copyUrl = await copyOf(page, service.database);
    const { id: applicationId } = await storedApplication(service.database, cart.id);
    return { cart, page, transactionId, copyUrl, applicationId };
  };
  /** Withdraws the consent with the form at the link of the agreement. */
  const withdrawOnPage = async ({ cart, copyUrl }: Awaited<ReturnType<typeof buy>>): Promise<Page> => {
    const form = await open(`${copyUrl}/consent`);
    const coded = await submit(form, {}, '/consent/code');
    return submit(coded, { consentCode: await codeFor(cart.id) }, '/consent');
  };
  const ways: [string, isReported: boolean, withdraw: (purchase: Awaited<ReturnType<typeof buy>>) => Promise<void>][] = [
    [
      'the lender',
      false,
      async ({ applicationId }) => {
        const recorded = { status: 200, body: { outcome: 'recorded' } };
        expect(await push(applicationId, WITHDRAWN)).toEqual(recorded);
        expect(await push(applicationId, WITHDRAWN)).toEqual(recorded);
      },
    ],
    [
      'an operator',
      true,
      async ({ applicationId }) => {
        const { code, stdout } = await run('consent', 'withdraw', '--application', applicationId);
        expect([code, stdout.join()]).toEqual([0, expect.stringContaining('consent withdrawn')]);
        const again = await run('consent', 'withdraw', '--application', applicationId);
        expect(again.stdout).toEqual(stdout);
        const events = await listSecurityEvents(service.database.query, { kind: 'consent-withdrawn', limit: 10 });
        expect(events).toMatchObject([{ actor: 'console', details: { applicationId } }]);
      },
    ],
    ['the buyer', true, async (purchase) => void (await withdrawOnPage(purchase))],
  ];

  it.each(ways)(
    'by %s, leaves a signed loan and its documents valid, and letters about it are sent to the lender for paper',
    async (_who, isReported, withdraw) => {
      const purchase = await buy();
      const { cart, page, transactionId, copyUrl, applicationId } = purchase;
      const document = (await open(copyUrl)).text;
      await withdraw(purchase);
      const before = await emailsOf(cart.id);
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel', amount: 10_000 });

      await until(() => noticesOf(applicationId).some((each) => 'outcome' in each && each.outcome === 'paper'));
      const [letter, delivery] = noticesOf(applicationId).slice(-2);
      expect(letter).toMatchObject({ type: 'notice', kinds: ['loan-changed'], html: expect.stringContaining('smaller') });
      const paper = {
        type: 'notice-delivery',
        noticeId: letter!.noticeId,
        kinds: ['loan-changed'],
        outcome: 'paper',
        failure: '',
      };
      expect(delivery).toMatchObject(paper);
      expect(await emailsOf(cart.id)).toEqual(before);
      const stored = (await storedDeliveries(service.database)).find(({ id }) => id === letter!.noticeId)!;
      expect(deliveryState(stored)).toBe('paper');
      const listed = await run('deliveries', 'list', '--state', 'paper', '--json');
      expect(JSON.parse(listed.stdout[0]!).deliveries.map(({ id }: { id: string }) => id)).toContain(stored.id);
      expect((await run('deliveries', 'replay', stored.id)).stderr.join()).toContain('the lender sends this notice on paper');

      const application = await storedApplication(service.database, cart.id);
      expect(application).toMatchObject({ status: 'CHECKOUT_COMPLETED', consentWithdrawnAt: expect.any(String) });
      expect((await merchant.get(`/transactions/${transactionId}`)).body.status).toBe('PENDING');
      const copy = await open(copyUrl);
      expect([copy.status, copy.text.split('</main>')[1]]).toEqual([200, document.split('</main>')[1]]);
      const reported = eventsOf(applicationId).filter(({ body }) => body.type === 'consent-withdrawn');
      expect(reported).toHaveLength(isReported ? 1 : 0);
      const { stdout } = await run('buyer', 'export', '--application', applicationId);
      expect(JSON.parse(stdout[0]!).applications).toMatchObject([{ consentWithdrawnAt: application.consentWithdrawnAt }]);
      expect(await canSendCopy(service.database.query, application)).toBe(false);

      // A code that the buyer asks for is still e-mailed.
      await submit(page, {}, '/copy-code');
      expect(await emailsOf(cart.id)).toHaveLength(before.length + 1);
    },
  );

  it.each(['plans', 'apply'])('ends an application at the step %s as canceled by the buyer, without an e-mail', async (step) => {
    const cart = await createCart(merchant);
    const page = await reachStep(cart.url, step);
    const { id: applicationId } = await storedApplication(service.database, cart.id);
    const before = await emailsOf(cart.id);
    expect(await push(applicationId, WITHDRAWN)).toMatchObject({ status: 200 });

    const application = await storedApplication(service.database, cart.id);
    expect(application).toMatchObject({ status: 'CANCELLED', statusCode: statusCodes.CANCELLED['by-buyer'] });
    expect(await emailsOf(cart.id)).toEqual(before);
    expect((await open(page.url)).step).not.toBe(step);
    if (step === 'apply') return;
    await until(() => eventsOf(applicationId).length > 0);
    expect(eventsOf(applicationId).map(({ body }) => body)).toMatchObject([{ type: 'application-canceled', by: 'buyer' }]);
    // A new application begins with a new consent.
    await submit(await reachAgreement(`${cart.url}/restart`));
    expect((await merchant.get(`/carts/${cart.id}`)).body).toMatchObject({ status: 'completed' });
  });

  it('sends the agreement of a loan that the lender accepts afterwards on paper', async () => {
    isDown = true;
    const cart = await createCart(merchant);
    await submit(await reachAgreement(cart.url));
    const { id: applicationId, status } = await storedApplication(service.database, cart.id);
    expect(status).toBe('ATTEMPTED_CHECKOUT');
    await push(applicationId, WITHDRAWN);
    isDown = false;
    await until(async () => (await storedApplication(service.database, cart.id)).status === 'CHECKOUT_COMPLETED');
    await until(() => noticesOf(applicationId).some((each) => each.kinds.includes('agreement')));
    expect(noticesOf(applicationId).at(-1)).toMatchObject({ type: 'notice-delivery', kinds: ['agreement'], outcome: 'paper' });
  });

  describe('with the form at the link of the agreement', () => {
    it('requires a code that is e-mailed to the buyer, and then states the day', async () => {
      const purchase = await buy();
      const { cart, copyUrl, applicationId } = purchase;
      const emails = await emailsOf(cart.id);
      expect(JSON.parse(emails.at(-1)!.body).text).toContain(`${copyUrl}/consent`);
      const form = await open(`${copyUrl}/consent`);
      expect(form).toMatchObject({ status: 200, step: 'consent' });
      expect(form.text).toContain('a•••@example.com');
      expect(form.text).not.toContain('ada@example.com');

      const coded = await submit(form, {}, '/consent/code');
      expect(await submit(coded, { consentCode: '0' }, '/consent')).toMatchObject({ status: 422, step: 'consent' });
      expect((await storedApplication(service.database, cart.id)).consentWithdrawnAt).toBeNull();
      const done = await withdrawOnPage(purchase);
      expect(done).toMatchObject({ status: 200, step: 'consent-withdrawn' });
      expect((await open(`${copyUrl}/consent?lang=es`)).text).toContain('retiró su consentimiento');
      expect(await push(applicationId, WITHDRAWN)).toMatchObject({ status: 200 });
    });

    it('sends five codes an hour, and none for an unknown or a revoked link', async () => {
      const { copyUrl, applicationId } = await buy();
      for (let count = 0; count < 5; count++) {
        expect((await submit(await open(`${copyUrl}/consent`), {}, '/consent/code')).status).toBe(200);
      }
      expect(await submit(await open(`${copyUrl}/consent`), {}, '/consent/code')).toMatchObject({ status: 429, step: 'consent' });
      expect((await open(`${copyUrl.slice(0, -22)}${'A'.repeat(22)}/consent`)).status).toBe(404);
      await run('document', 'revoke', '--application', applicationId);
      expect((await open(`${copyUrl}/consent`)).status).toBe(404);
    });
  });

  it('is rejected without a signature of the lender, for an unknown application, and with another body', async () => {
    const { applicationId, cart } = await buy();
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    expect(await push(applicationId, WITHDRAWN, other)).toMatchObject({ status: 401 });
    expect(await push(applicationId, { ...WITHDRAWN, state: 'given' })).toMatchObject({ status: 400 });
    for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
      expect(await push(id, WITHDRAWN)).toEqual({ status: 404, body: { outcome: 'unknown' } });
    }
    expect((await run('consent', 'withdraw', '--application', 'x')).code).toBe(1);
    expect((await storedApplication(service.database, cart.id)).consentWithdrawnAt).toBeNull();
  });
});
