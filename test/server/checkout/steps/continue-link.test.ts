/** The link to continue an application that the lender could not receive. */
import { expect, it } from 'vitest';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { createCart, open, type Page, post, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine, everythingStored } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

describeOnEveryEngine('A buyer whose lender cannot be reached', (engine) => {
  async function start(options: Parameters<typeof startApp>[1] = {}) {
    const database = await createDatabase(engine);
    const app = await startApp(database, { lender: sandboxLender(), ...options });
    const cart = await app.createCart();
    const emails = async () =>
      (await storedDeliveries(database)).map(({ url, body }) => ({
        to: decodeURIComponent(url),
        ...(JSON.parse(body) as { text: string; subject: string; name: string }),
      }));
    const lastLink = async () => /\S+\/continue\/\S+/.exec((await emails()).at(-1)!.text)![0];
    return { database, app, cart, emails, lastLink, page: await reachDecision(cart.url, { taxIdLast4: '5001' }) };
  }
  const send = (page: Page) => submit(page, {}, '/continue-link');
  it('can pay another way, or have a link sent, with which another browser continues', async () => {
    const { page, emails, lastLink } = await start();
    expect(page.text).toMatch(/Return to [^<]* and pay another way/);

    const sent = await send(page);

    expect(sent).toMatchObject({ status: 503, step: 'apply' });
    expect(sent.text).toContain('We sent the link to ada@example.com.');
    expect(await emails()).toMatchObject([{ to: 'mailto:ada@example.com', name: '' }]);
    const url = await lastLink();
    const link = await open(url);
    expect(link).toMatchObject({ status: 200, step: 'continue', heading: 'Continue your application' });
    expect(link.text).not.toContain('Analytical Way');

    const continued = await submit(link);

    expect(continued).toMatchObject({ status: 503, step: 'apply' });
    expect(sessionUrl(continued)).not.toBe(sessionUrl(page));
    expect(await open(sessionUrl(page))).toMatchObject({ step: 'in-progress' });
    expect(await submit(continued, { taxIdLast4: '1001' })).toMatchObject({ step: 'plans' });
    // Neither the link nor its page works once the lender has the application.
    expect(await open(url)).toMatchObject({ step: 'in-progress' });
    expect(await submit(link)).toMatchObject({ step: 'in-progress' });
  });

  it('is not named in the message, which anyone may have sent to that address', async () => {
    const { cart, page, emails } = await start();
    const details = await open(`${sessionUrl(page)}/details`);
    const named = await submit(details, { firstName: 'Your account is locked', email: 'victim@example.com' });
    await send(await submit(named, { taxIdLast4: '5001' }));

    const { to, text } = (await emails()).at(-1)!;

    expect(to).toBe('mailto:victim@example.com');
    expect(text).toMatch(/^Hello,\n/);
    expect(text).not.toContain('locked');
    expect(text).toContain(`${cart.url}/continue/`);
  });

  it('opens only the latest link, and none that was sent to an address that they have corrected', async () => {
    const { page, lastLink } = await start();
    const again = await send(page);
    const first = await lastLink();
    await send(again);
    const second = await lastLink();
    expect(await open(first)).toMatchObject({ step: 'in-progress' });
    expect(await open(second)).toMatchObject({ step: 'continue' });

    await submit(await open(`${sessionUrl(page)}/details`), { email: 'corrected@example.com' });

    expect(await open(second)).toMatchObject({ step: 'in-progress' });
  });

  it('is sent a limited number of links in 24 hours, in all carts', async () => {
    const service = await startService(engine, { codesPerRecipient: 2 });
    const merchant = await service.createMerchant();
    const unanswered = async (email: string) => reachDecision((await createCart(merchant)).url, { taxIdLast4: '5001', email });
    const page = await send(await unanswered('ada@example.com'));
    await send(await unanswered('Ada+more@example.com'));

    const limited = await send(page);

    expect(limited).toMatchObject({ status: 429, step: 'apply' });
    expect(limited.text).toContain('Several messages were sent to you in the last 24 hours.');
    expect(await storedDeliveries(service.database)).toHaveLength(2);
  });

  it('is offered no link by a service without a mail server', async () => {
    const { page, emails } = await start({ messageHandlings: { email: 'unavailable', text: 'unavailable' } });
    expect(page.text).not.toContain('Email me the link');
    expect(page.text).toMatch(/Return to [^<]* and pay another way/);
    expect(await emails()).toEqual([]);
  });

  it('cannot have a link sent before they have applied, or after the decision', async () => {
    const { app, page, emails } = await start();
    await submit(page, { taxIdLast4: '1001' });
    expect(await send(page)).toMatchObject({ status: 200 });
    const applying = await submit(await open((await app.createCart()).url));
    expect(applying.text).not.toContain('continue-link');
    expect((await emails()).map(({ text }) => text).join()).not.toContain('/continue/');
  });

  it('has a link until the application expires, of which only a hash is stored', async () => {
    const { database, app, cart, page, lastLink } = await start();
    await send(page);
    const link = await lastLink();
    const token = /continue\/([\w-]{22})\?/.exec(link)![1]!;
    const { codes } = await storedApplication(database, cart.id);
    expect(JSON.stringify(codes)).not.toContain(token);
    expect(await everythingStored(database, { isSealed: true })).not.toContain(token);

    await app.post('/sandbox/clock', { now: plusDays(systemClock.now(), 30) });

    expect(await open(link)).toMatchObject({ status: 410 });
  });

  it('is not continued by a forged form', async () => {
    const { page, lastLink } = await start();
    await send(page);
    const link = await open(await lastLink());
    const { action } = link.form!;
    const forged = await post(action, { ...link.fields, formToken: `1${link.fields['formToken']}` });
    expect(forged.status).toBe(303);
    expect(forged.headers.get('location')).toContain('/continue/');
    expect(await open(sessionUrl(page))).toMatchObject({ step: 'apply' });
  });
});
