import { describe, expect, it } from 'vitest';
import { referenceOf } from '../../../../server/lending/applications/reference.ts';
import { startApp } from '../../../support/app.ts';
import { copyOf, open, reachDecision, sessionUrl, submit, testOperator } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

const complaints = { phone: '1-800-555-0102', email: 'complaints@bank.example', address: 'P.O. Box 2000, Wilmington, DE 19801' };
const lender = { name: 'Example Bank', phone: '1-800-555-0100', address: '1 Example Plaza, Wilmington, DE 19801', complaints };
const expected = [...Object.values(testOperator), lender.name, lender.phone, lender.address, ...Object.values(complaints)];

const textOf = (page: string) => page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

async function start() {
  const database = await createDatabase('sqlite');
  const app = await startApp(database, { program: createProgram({ id: 'known', lender }) });
  return { database, app, cart: await app.createCart() };
}

describe('The operator, the lender and where to complain', () => {
  it('are named on every page of a checkout, in its e-mails with the reference of the application, and in the agreement', async () => {
    const { database, app, cart } = await start();
    const details = await open(cart.url);
    const apply = await submit(details);
    const plans = await submit(apply);
    const agreement = await submit(plans);
    await submit(agreement);
    const completed = await open(sessionUrl(agreement));
    await submit(completed, {}, '/copy-code');
    const deniedCart = await app.createCart();
    const denied = await reachDecision(deniedCart.url, { taxIdLast4: '2001' });
    await app.post(`/carts/${(await app.createCart()).id}/email`, { email: 'ada@example.com', name: 'Ada Lovelace' });

    const footers = [details, apply, plans, agreement, completed, denied].map(
      ({ text }) => /<footer>[^]*<\/footer>/.exec(text)![0],
    );
    const document = (await open(await copyOf(completed, database))).text;
    const emails = (await storedDeliveries(database)).filter(({ channel }) => channel === 'email');
    expect(emails).toHaveLength(5);
    const bodies = emails.map(({ body }) => JSON.parse(body) as { text: string; html: string });
    const texts = [...footers, document, ...bodies.flatMap(({ text, html }) => [text, html])].map(textOf);
    for (const text of texts) for (const part of expected) expect(text).toContain(part);

    const mentioned = bodies.map((each) =>
      [each.text, each.html].map((text) => /Reference number: (\S{9})/.exec(textOf(text))?.[1]),
    );
    const reference = referenceOf((await storedApplication(database, cart.id)).id);
    const deniedReference = referenceOf((await storedApplication(database, deniedCart.id)).id);
    expect(mentioned).toEqual([reference, reference, reference, deniedReference, undefined].map((each) => [each, each]));
  });
});
