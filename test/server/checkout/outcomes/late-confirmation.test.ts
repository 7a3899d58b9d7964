/** A lender that confirms the signature after the buyer's request has ended. The buyer is redirected to the shop once. */
import { beforeAll, expect, it } from 'vitest';
import { runRetryJob } from '../../../../server/checkout/waiting/job.ts';
import type { Database } from '../../../../server/db/database.ts';
import { type Lender, UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { plusMs, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { checkoutDeps, open, type Page, post, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { fetchResponse } from '../../../support/service.ts';

const completeUrl = 'https://shop.example/thanks?from=financing';

describeOnEveryEngine('A buyer whose lender confirms the signature late', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase(engine);
  });

  /** Takes a new checkout to the waiting page. */
  async function given({
    query = '',
    messageHandlings,
  }: { query?: string; messageHandlings?: { email: 'unavailable'; text: 'unavailable' } } = {}) {
    let isLate = true;
    const lender: Lender = {
      ...sandboxLender(),
      accept: async () => {
        if (isLate) throw new UnknownOutcomeError('No response');
        return { outcome: 'accepted' };
      },
    };
    const app = await startApp(database, { lender, ...(messageHandlings && { messageHandlings }) });
    const { id, url } = await app.createCart({ completeUrl, orderRef: 'ORDER 7' });
    const waiting = await submit(await reachAgreement(url + query));
    expect(waiting).toMatchObject({ status: 200, step: 'waiting-signed' });
    isLate = false;
    const deps = checkoutDeps(database, { lender, cards: undefined });
    /** Confirms the signature as the background job does. */
    const confirm = () =>
      runRetryJob({
        deps,
        clock: { now: () => plusMs(systemClock.now(), 20_000) },
        onError: (thrown) => expect.unreachable(String(thrown)),
      });
    const transactionId = async () =>
      (await database.query.selectFrom('carts').select('transactionId').where('id', '=', id).executeTakeFirstOrThrow())
        .transactionId;
    const expectRedirect = async (page: Page) =>
      expect([page.status, page.headers.get('location')]).toEqual([
        303,
        `${completeUrl}&transactionId=${await transactionId()}&orderRef=ORDER+7`,
      ]);
    return { waiting, session: sessionUrl(waiting), confirm, expectRedirect };
  }
  const purchase = { status: 200, step: 'completed' };

  it('sees what is done, what the page waits for and what follows, in both languages', async () => {
    const { waiting, session } = await given();
    const texts = waiting.texts('li').filter((text) => / signed|confirms|return/.test(text));
    expect(texts).toEqual(['You signed', 'Fairterm Lending confirms the agreement', 'You return to Acme Goods']);
    expect(waiting.texts('li', { 'aria-current': 'step' })).toEqual([texts[1]]);
    const spanish = await open(`${session}?lang=es`);
    expect(spanish.texts('li', { class: 'done' })).toEqual(['Usted firmó']);
  });

  it('is redirected to completeUrl by the next page that is opened, once', async () => {
    const { session, confirm, expectRedirect } = await given();
    await confirm();
    await fetchResponse(session, { method: 'HEAD' });
    await expectRedirect(await open(session));
    expect(await open(session)).toMatchObject(purchase);
    expect(await open(`${session}/agreement`)).toMatchObject(purchase);
  });

  it('is redirected by the form of the waiting page', async () => {
    const { waiting, session, confirm, expectRedirect } = await given();
    await confirm();
    await expectRedirect(await submit(waiting));
    expect(await open(session)).toMatchObject(purchase);
  });

  it('is redirected to the same address by several pages that are opened at the same time, once', async () => {
    const { session, confirm } = await given();
    await confirm();
    const pages = await Promise.all(Array.from({ length: 5 }, () => open(session)));
    expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('is redirected once the script of the waiting page opens the address that it received', async () => {
    const { waiting, session, confirm, expectRedirect } = await given();
    await confirm();
    const answer = await fetch(waiting.action, {
      method: 'POST',
      body: new URLSearchParams(waiting.fields),
      headers: { 'x-requested-with': 'fetch' },
    });
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([200, false]);
    await expectRedirect(await open(answer.url));
    expect(await open(session)).toMatchObject(purchase);
  });

  it.each(['frame', 'popup'])('in a %s sees the page that notifies the shop, and is not redirected later', async (display) => {
    const { session, confirm } = await given({ query: `?display=${display}` });
    await confirm();
    const page = await open(`${session}?display=${display}`);
    expect(page).toMatchObject(purchase);
    expect(page.text).toContain('&quot;type&quot;:&quot;completed&quot;');
    expect(await open(session)).toMatchObject(purchase);
  });

  it('sees the link to the copy first if no e-mail can be sent', async () => {
    const { session, confirm } = await given({ messageHandlings: { email: 'unavailable', text: 'unavailable' } });
    await confirm();
    const page = await open(session);
    expect(page).toMatchObject(purchase);
    expect(page.text).toMatch(/href="\/a\/[\w-]{22}"/);
  });

  it('is not redirected again after signing a second time', async () => {
    const app = await startApp(database, {});
    const agreement = await reachAgreement((await app.createCart({ completeUrl })).url);
    const { action } = agreement;
    expect((await submit(agreement)).headers.get('location')).toContain('transactionId=');
    expect((await post(action, agreement.fields)).headers.get('location')).toContain('transactionId=');
    expect(await open(sessionUrl(agreement))).toMatchObject(purchase);
  });
});
