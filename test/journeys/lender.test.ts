/** Purchases with a remote lender, including timeouts and invalid responses. */
import { describe, expect, it } from 'vitest';
import { codeBlock } from '../support/docs.ts';
import {
  createCart,
  open,
  type Page,
  post,
  reachAgreement,
  reachDecision,
  renewedUrl,
  sessionUrl,
  submit,
  typedDigits,
} from '../support/checkout.ts';
import {
  type Responder,
  inTurn,
  respondsWith,
  respondsUnsigned,
  SECRET,
  startGuideLender,
  startLender,
} from '../support/lenders.ts';
import { startService, type TestService } from '../support/service.ts';
import { plusMs } from '../../server/base/time.ts';
import { everythingStored } from '../support/databases.ts';
import { until } from '../support/time.ts';

const approved = { outcome: 'approved', tierId: 'B', limitCents: null };

/** Returns the types of an object's values, by their names. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? 'list' : shapeOf(inner)]));
}

describe('A purchase with a remote lender', () => {
  const openDetails = async (respond: Responder) => {
    const lender = await startLender(respond);
    const service = await startService(undefined, { lender: lender.endpoint });
    return { lender, service, ...(await createCheckout(service)) };
  };
  const createCheckout = async (service: TestService) => {
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);
    const transactionId = async () =>
      (await service.database.query.selectFrom('carts').selectAll().where('id', '=', cart.id).executeTakeFirstOrThrow())
        .transactionId;
    return { merchant, url: cart.url, transactionId };
  };
  /** Moves the clock past the lease of the request, and opens the waiting page, which asks the lender again, or submits its form. */
  const checkLater = async ({ clock }: TestService, before: Page) => {
    clock.moveTo(plusMs(clock.now(), 120_000));
    const page = await open(sessionUrl(before));
    if (page.step !== before.step) return page;
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? [];
    await post(new URL(action, page.url).href, page.fields);
    return open(sessionUrl(before));
  };

  it('is completed or denied by the example lender of the guide', async () => {
    const service = await startService(undefined, { lender: await startGuideLender() });
    const { url, transactionId, merchant } = await createCheckout(service);
    const lowIncome = await createCheckout(service);

    expect(await submit(await reachAgreement(url))).toMatchObject({ status: 303 });
    expect(await merchant.fairterm.transactions.retrieve((await transactionId())!)).toMatchObject({
      status: 'PENDING',
      total: 75_000,
    });

    const declined = await reachDecision(lowIncome.url, { annualIncome: '$9,999' });
    expect(declined.step).not.toBe('plans');
    expect(await stored(service)).toMatchObject([{ status: 'CHECKOUT_COMPLETED' }, { status: 'DENIED', statusCode: '300200' }]);
  });

  it('sends the signed agreement to the lender', async () => {
    const { lender, url, transactionId } = await openDetails(
      inTurn(respondsWith(approved), respondsWith({ outcome: 'accepted' })),
    );

    await submit(await reachAgreement(url));

    const [requested, notified] = lender.requests;
    expect(lender.requests).toHaveLength(2);
    const documented = JSON.parse(codeBlock('server/docs/lenders.md', 'decision-request'));
    expect(shapeOf(requested!.body)).toEqual(shapeOf(documented));
    expect(notified!.body).toMatchObject({
      requestId: requested!.body.requestId,
      applicationId: requested!.body.applicationId,
      disclosure: { tierId: 'B', programId: 'standard', programVersion: 1 },
      signedName: 'Ada Lovelace',
      contact: { lastName: 'Lovelace' },
    });
    expect(await transactionId()).toBeTruthy();
  });

  it('sends each change of the loan to the lender, in order, as the guide documents', async () => {
    const { lender, merchant, url, transactionId } = await openDetails(
      inTurn(respondsWith(approved), respondsWith({ outcome: 'accepted' }), respondsWith({ outcome: 'recorded' })),
    );
    await submit(await reachAgreement(url));
    const { transactions } = merchant.fairterm;
    const id = (await transactionId())!;
    await transactions.authorize(id, { merchantOrderId: 'M-1' });
    await transactions.settle(id);
    await transactions.refund(id, { amount: 2_500 });

    const events = await until(() => {
      const sent = lender.requests.filter(({ path }) => path.endsWith('/events'));
      return sent.length === 3 && sent.map(({ body }) => body);
    });
    // The first event is the notice of the approval.
    expect(events).toMatchObject([
      { sequence: 2, type: 'authorized', financedCents: 75_000 },
      { sequence: 3, type: 'settled', financedCents: 75_000, disburseCents: 75_000, merchantFeeCents: 0 },
      { sequence: 4, type: 'refunded', financedCents: 72_500, changeCents: 2_500 },
    ]);
    const documented = JSON.parse(codeBlock('server/docs/lenders.md', 'event'));
    expect(shapeOf(events[1])).toEqual(shapeOf(documented));
  });

  it('stores and logs no identity data of the buyer, even after errors', async () => {
    const responders = [
      respondsWith({}),
      respondsWith({ outcome: 'needs-action', action: 'confirm-identity' }),
      respondsUnsigned(400),
    ];
    const { lender, service, url } = await openDetails(
      inTurn(...responders, respondsWith(approved), respondsUnsigned(500), respondsWith({ outcome: 'accepted' })),
    );
    const canaries = { dateOfBirth: '02/29/1984', taxIdLast4: '0391', annualIncome: '$91,357' };
    const again = async (page: Page) => open(sessionUrl(page));

    let page = await submit(await open(url));
    page = await submit(page, { ...canaries, annualIncome: '$91,357 and some' });
    page = await submit(await again(page), canaries);
    page = await checkLater(service, page);
    page = await submit(await open(`${sessionUrl(page)}/details`));
    const rejected = renewedUrl(page);
    await submit(page, canaries);
    page = await submit(await open(rejected), canaries);
    page = await submit(await submit(page));
    await checkLater(service, page);
    expect(await stored(service)).toMatchObject([{ status: 'CHECKOUT_COMPLETED' }]);

    const notified = lender.requests.filter(({ path }) => path.endsWith('/decisions')).map(({ body }) => body.applicant);
    expect(notified).toContainEqual({ dateOfBirth: '1984-02-29', taxIdLast4: '0391', annualIncomeCents: 9_135_700 });
    const remaining = `${await everythingStored(service.database)}\n${service.logged.join('\n')}`;
    for (const known of ['Lovelace', 'Springfield', 'CHECKOUT_COMPLETED', '"at":"lender"', 'responded with 400'])
      expect(remaining).toContain(known);
    for (const canary of [/1984-?02-?29/, /02.?29.?1984/, typedDigits('0391'), typedDigits('91,?357(?:00)?'), SECRET_PATTERN]) {
      expect(remaining).not.toMatch(canary);
    }
    // Slow: three applications with every kind of lender error.
  }, 60_000);
});

const SECRET_PATTERN = new RegExp(SECRET.slice('whsec_'.length).replaceAll(/[+/=]/g, '\\$&'));

function stored({ database }: TestService) {
  return database.query
    .selectFrom('applications')
    .select(['status', 'statusCode', 'tierId', 'financedCents'])
    .orderBy('createdAt')
    .execute();
}
