import { beforeAll, expect, it } from 'vitest';
import { open, post as postForm, postFresh, reachAgreement, sessionUrl, submit, typed } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { Page } from '../support/page.ts';
import { storedApplications, storedCart, storedDeliveries, storedTransactions } from '../support/stored.ts';
import { codesOf, concurrently, type Processes, SLOW, startProcesses, succeeded } from './processes.ts';

describeOnEveryEngine('Concurrent requests for one checkout', (engine) => {
  let processes: Processes;
  beforeAll(async () => {
    processes = await startProcesses(engine);
  });
  /** Submits the form of a page to the next process, without following redirects. */
  const submitAtNext = async (page: Page, over: Record<string, string> = {}) =>
    new Page(page.url, await postForm(processes.atNext(page.action), { ...typed, ...page.fields, ...over }));
  const applicationsOf = (cartId: string) => storedApplications(processes.database, cartId);

  it('complete it once, with one transaction, one agreement document and one callback', SLOW, async () => {
    const { database, newCart, post } = processes;
    const callbackUrl = 'http://127.0.0.1:65535/callback';
    const cart = await newCart({ callbackUrl });

    const responses = await concurrently(() => post('/sandbox/checkouts', { cartId: cart.id }));

    expect(codesOf(responses)).toEqual([]);
    const [transaction, ...others] = await storedTransactions(database, cart.id);
    expect([new Set(responses.map(({ body }) => body.transactionId)), others]).toEqual([new Set([transaction!.id]), []]);
    expect((await storedDeliveries(database)).filter(({ url }) => url === callbackUrl)).toHaveLength(1);
    const documents = await database.query
      .selectFrom('agreement_documents')
      .innerJoin('applications', 'applications.id', 'agreement_documents.applicationId')
      .select('agreement_documents.id')
      .where('cartId', '=', cart.id)
      .execute();
    expect(documents).toHaveLength(1);
  });

  it('sign it once, and redirect to the same address', async () => {
    const cart = await processes.newCart();
    const agreement = await reachAgreement(cart.url);

    const responses = await concurrently(() => submitAtNext(agreement), 16);

    expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1);
    const transactions = await storedTransactions(processes.database, cart.id);
    expect(transactions).toHaveLength(1);
    expect(responses[0]!.headers.get('location')).toContain(`transactionId=${transactions[0]!.id}`);
  });

  it('complete it at most once if sandbox checkouts have different outcomes', async () => {
    const cart = await processes.newCart();
    const outcomes = ['approved', 'denied', 'remainder-declined'];

    const responses = await concurrently(
      (index) => processes.post('/sandbox/checkouts', { cartId: cart.id, outcome: outcomes[index % 3] }),
      12,
    );

    expect(new Set(succeeded(responses).map(({ body }) => body.transactionId)).size).toBeLessThanOrEqual(1);
    expect(['not-approved', 'cart-closed']).toEqual(expect.arrayContaining(codesOf(responses)));
  });

  it('either expire or complete it', SLOW, async () => {
    const { database, newCart, post } = processes;
    const carts = await concurrently(() => newCart(), 16);
    const agreements = await Promise.all(carts.map(async ({ url }, index) => (index % 2 ? reachAgreement(url) : undefined)));
    const complete = async (index: number) => {
      const agreement = agreements[index];
      return agreement ? submitAtNext(agreement) : post('/sandbox/checkouts', { cartId: carts[index]!.id });
    };
    const expire = (index: number) => post(`/carts/${carts[index]!.id}/expire`);

    const outcomes = await Promise.all(
      carts.map((_cart, index) => Promise.all([complete(index), expire(index), complete(index), expire(index)])),
    );

    for (const [index, responses] of outcomes.entries()) {
      expect([responses[1].status, responses[3].status]).toEqual([204, 204]);
      expect(codesOf(responses)).not.toContain('changed-meanwhile');
      const { id, url } = carts[index]!;
      const transactionIds = (await storedTransactions(database, id)).map((transaction) => transaction.id);
      const { status, transactionId } = await storedCart(database, id);
      const expected = transactionIds.length === 1 ? ['COMPLETED', transactionIds[0]] : ['EXPIRED', null];
      expect([status, transactionId]).toEqual(expected);
      expect((await open(url)).step).toBe(status === 'COMPLETED' ? 'bought' : 'expired');
    }
  });

  it('start one application if four browsers submit the details', async () => {
    const cart = await processes.newCart();
    const responses = await Promise.all(
      ['Ada', 'Grace', 'Mary', 'Emmy'].map((firstName) => postFresh(`${cart.url}/details`, { ...typed, firstName })),
    );
    expect(responses.map((response) => response.status)).toEqual([303, 303, 303, 303]);
    expect(await applicationsOf(cart.id)).toHaveLength(1);
  });

  it('start one application by eight restarts', async () => {
    const cart = await processes.newCart();
    await submit(await open(cart.url));
    const forms = await concurrently(() => open(`${cart.url}/restart`), 8);

    const pages = await Promise.all(forms.map((form, index) => submit(form, { firstName: `Ada${'abcdefgh'[index]}` })));

    const [current, ...others] = (await applicationsOf(cart.id)).filter(({ supersededAt }) => supersededAt === null);
    expect(others).toEqual([]);
    const started = pages.filter(({ step }) => step === 'apply');
    expect(started.length).toBeGreaterThan(0);
    const details = await Promise.all(started.map((page) => open(`${sessionUrl(page)}/details`)));
    const firstNames = details.filter(({ step }) => step === 'details').map(({ values }) => values['firstName']);
    expect(firstNames).toEqual([current!.billingContact.firstName]);
  });

  it('either complete or restart it', async () => {
    for (let round = 0; round < 6; round++) {
      const cart = await processes.newCart();
      const agreement = await reachAgreement(cart.url);
      const restart = await open(`${cart.url}/restart`);
      await Promise.all([submit(agreement), submit(restart, { firstName: 'Mallory' })]);

      const statuses = (await applicationsOf(cart.id)).map(({ status }) => status);
      expect([['CHECKOUT_COMPLETED'], ['CANCELLED', 'STARTED']]).toContainEqual(statuses);
    }
  });
});
