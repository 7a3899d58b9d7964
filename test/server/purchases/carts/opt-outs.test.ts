/** The link at the end of e-mails with a cart's link, with which their recipient opts out of more of them from the same merchant. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/time.ts';
import { createEmailSender } from '../../../../server/messages/email.ts';
import { eraseBuyer, exportBuyer } from '../../../../server/operations/retention/buyer-data.ts';
import { createCart, open, reachDecision, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine, everythingStored } from '../../../support/databases.ts';
import { fetchResponse, startService, type TestMerchant } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { startMailServer } from '../../messages/mail-server.ts';

describeOnEveryEngine('An opt-out of e-mails with links', async (engine) => {
  const service = await startService(engine);
  const { database } = service;
  const merchant = await service.createMerchant();
  const { id: cartId } = await createCart(merchant);
  const optedOut = { status: 422, body: { error: true, code: 'recipient-opted-out' } };
  let people = 0;
  const anyone = () => `buyer-${(people += 1)}@example.com`;

  const send = (email: string, of: TestMerchant = merchant, id = cartId) => of.post(`/carts/${id}/email`, { email, name: 'Ada' });
  const messagesTo = async (email: string, of: TestMerchant = merchant): Promise<{ subject: string; text: string }[]> =>
    (await of.get('/sandbox/messages')).body.messages.filter(({ to }: { to: string }) => to === email);
  const linkIn = (text: string): string => /http\S+\/u\/\S+/.exec(text)![0];
  /** Sends a link, and returns the address with which its recipient opts out. */
  const linkFor = async (email: string): Promise<string> => {
    expect(await send(email)).toMatchObject({ status: 200 });
    return linkIn((await messagesTo(email))[0]!.text);
  };
  /** Sends the request of a mail program. RFC 8058, 3.1. */
  const oneClick = (url: string, body: BodyInit = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })) =>
    fetchResponse(url, { method: 'POST', body });

  it('is made on a page that names the merchant, and then sending the link is an error without an e-mail', async () => {
    const email = anyone();
    const page = await open(await linkFor(email));
    expect(page).toMatchObject({ status: 200, step: 'opt-out', heading: 'Emails from Acme Goods', faults: [] });
    expect(page.text).not.toContain(email);

    const done = await submit(page);
    expect(done).toMatchObject({ status: 200, step: 'opted-out', heading: 'You will get no more of these emails', faults: [] });
    expect(await send(email)).toMatchObject(optedOut);
    expect(await messagesTo(email)).toHaveLength(1);
    expect(await open(page.url)).toMatchObject({ status: 200, step: 'opted-out' });
    expect(service.logged.join('\n')).not.toContain(new URL(page.url).pathname);
    expect(service.logged.join('\n')).not.toContain(email);
  });

  it('is not made by a mail scanner that opens the link', async () => {
    const email = anyone();
    const url = await linkFor(email);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) await fetchResponse(url, { method });
    expect(await send(email)).toMatchObject({ status: 200 });
  });

  it.each([
    ['a form', () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    [
      'a form with parts',
      () => {
        const body = new FormData();
        body.set('List-Unsubscribe', 'One-Click');
        return body;
      },
    ],
  ])(
    'is made at once by the POST request of a mail program with %s, without a redirect, and can be repeated',
    async (_, body) => {
      const email = anyone();
      const url = await linkFor(email);
      expect(await oneClick(url, body())).toMatchObject({ status: 200 });
      expect(await oneClick(url, body())).toMatchObject({ status: 200 });
      expect(await send(email)).toMatchObject(optedOut);
    },
  );

  it('counts for every spelling of the mailbox, for this merchant alone, and for no one else', async () => {
    const email = anyone();
    const other = await service.createMerchant();
    const { id } = await createCart(other);
    await oneClick(await linkFor(email));
    for (const spelling of [email.toUpperCase(), email.replace('@', '+shop@')]) {
      expect(await send(spelling)).toMatchObject(optedOut);
    }
    expect(await send(anyone())).toMatchObject({ status: 200 });
    expect(await send(email, other, id)).toMatchObject({ status: 200 });
  });

  it('is not made with a link that the service did not issue', async () => {
    const { href, pathname } = new URL(await linkFor(anyone()));
    const token = pathname.split('/')[2]!;
    const changed = [0, 30, 80].map((at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1));
    for (const each of [...changed, token.slice(0, -4), `${token}AAAA`, 'unknown']) {
      expect(await open(href.replace(token, each))).toMatchObject({ status: 404, step: 'unknown-link' });
      expect(await oneClick(href.replace(token, each))).toMatchObject({ status: 404 });
    }
  });

  it('keeps the e-mails about an application, the codes that its buyer asks for, and texts', async () => {
    const email = anyone();
    await oneClick(await linkFor(email));
    const cart = await createCart(merchant);
    await reachDecision(cart.url, { email, taxIdLast4: '2001' });
    const [decision] = await messagesTo(email);
    expect(decision!.subject).toBe('About your application to Fairterm Lending');
    await submit(await open(/http\S+\/n\/\S+/.exec(decision!.text)![0]), {}, '/code');
    expect((await messagesTo(email))[0]!.text).toMatch(/\b\d{6}\b/);
    expect(await merchant.post(`/carts/${cart.id}/text`, { phone: '5550100100' })).toMatchObject({ status: 200 });
  });

  it('is offered in the language of the application', async () => {
    const email = anyone();
    const cart = await createCart(merchant);
    await submit(await open(`${cart.url}?lang=es`), { email });
    await send(email, merchant, cart.id);
    const { text } = (await messagesTo(email)).find((message) => message.text.includes('/u/'))!;
    expect(text).toContain('Si no desea recibir más correos con enlaces de compra de Acme Goods');
    const page = await open(linkIn(text));
    expect(page).toMatchObject({ language: 'es', heading: 'Correos de Acme Goods' });
    expect(await submit(page)).toMatchObject({ language: 'es', heading: 'Ya no recibirá estos correos' });
  });

  it('is stored without the address, exported with the data of its person, and kept when that data is erased', async () => {
    const email = anyone();
    await oneClick(await linkFor(email));
    const { email_opt_outs: stored } = JSON.parse(await everythingStored(database)) as Record<string, unknown[]>;
    expect(stored!.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain('example');

    const now = systemClock.now();
    const optOut = { merchantId: merchant.merchantId, optedOutAt: expect.stringMatching(/^\d{4}-/) };
    expect(await exportBuyer(database, { email }, now)).toMatchObject({ messages: [{}], emailOptOuts: [optOut] });
    expect(await eraseBuyer(database, { email }, now)).toMatchObject({ messages: 1 });
    expect(await send(email)).toMatchObject(optedOut);
    expect(await exportBuyer(database, { email }, now)).toMatchObject({ messages: [], emailOptOuts: [optOut] });
    await expect(eraseBuyer(database, { email }, now)).rejects.toThrow('nothing is stored');
  });
});

it('An e-mail with a link has the header with the address to which mail programs send their request', async () => {
  const { url, emails } = await startMailServer();
  const { send, close } = createEmailSender({ url, from: 'mail@pay.example', timeoutMs: 20_000 });
  const service = await startService(undefined, {}, { email: send, close });
  const merchant = await service.createMerchant();
  const cart = await createCart(merchant);
  const sendLink = () => merchant.post(`/carts/${cart.id}/email`, { email: 'ada@example.com', name: 'Ada' });
  await sendLink();

  const { headers } = await until(() => emails[0]);
  const body = new URLSearchParams(headers['list-unsubscribe-post']);
  await fetchResponse(headers['list-unsubscribe']!.slice(1, -1), { method: 'POST', body });
  expect(await sendLink()).toMatchObject({ status: 422, body: { code: 'recipient-opted-out' } });
});
