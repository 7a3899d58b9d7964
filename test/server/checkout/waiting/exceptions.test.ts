import { beforeAll, expect, it } from 'vitest';
import { findApplication } from '../../../../server/lending/applications/store.ts';
import { raiseException } from '../../../../server/checkout/decision/raise-exception.ts';
import { closeExceptions, listExceptions } from '../../../../server/lending/exceptions/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { mailtoOf } from '../../../../server/messages/addresses.ts';
import { messageIn } from '../../../../server/messages/outbox.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { noMail } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';
import { storedDeliveries } from '../../../support/stored.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const alertsEmail = 'alerts@operator.example';

describeOnEveryEngine('The warning of the operator about an exception', (engine) => {
  let shop: Awaited<ReturnType<typeof start>>;
  async function start() {
    const database = await createDatabase(engine);
    const { createApplication } = await createBuyer(database, now);
    const raise = async (applicationId: string, at: Instant, address: string | undefined = alertsEmail) => {
      const application = (await findApplication(database.query, applicationId))!;
      const operator = { ...noMail.operator, ...(address !== '' && { alertsEmail: address }) };
      const raised = { id: newId(), kind: 'decision', now: at } as const;
      return database.write((tx) => raiseException(tx, application, raised, { operator, handling: 'sent' }));
    };
    const warnings = async () => (await storedDeliveries(database)).filter(({ url }) => url === mailtoOf(alertsEmail));
    return { database, createApplication, raise, warnings };
  }
  beforeAll(async () => {
    shop = await start();
  });

  it('is one e-mail for each exception, with its ids and no data about the buyer', async () => {
    const { createApplication, raise, warnings, database } = shop;
    const applicationId = await createApplication();
    const raised = await raise(applicationId, now);
    expect(await raise(applicationId, now)).toBeUndefined();

    const [warning, ...others] = await warnings();
    const { text, subject } = messageIn(warning!.body);
    await database.write((tx) => closeExceptions(tx, applicationId, now));
    expect([others, warning!.dueAt !== null, subject]).toEqual([
      [],
      true,
      'Financing: an application has to be resolved (decision)',
    ]);
    expect(text).toContain(`Application: ${applicationId}`);
    expect(text).toContain(`fairterm exception show ${raised!.id}`);
  });

  it('is not sent without an address, and the exception is listed', async () => {
    const { createApplication, raise, warnings, database } = shop;
    const count = (await warnings()).length;
    const raised = await raise(await createApplication(), now, '');
    expect((await warnings()).length).toBe(count);
    expect((await listExceptions(database.query, { isOpen: true, limit: 10 })).map(({ id }) => id)).toEqual([raised!.id]);
  });

  it('is sent at most 20 times a day, and the last one states so', async () => {
    const { createApplication, raise, warnings } = shop;
    const before = (await warnings()).map(({ id }) => id);
    const tomorrow = plusDays(now, 1);
    for (let count = 0; count < 22; count++) await raise(await createApplication(), tomorrow);

    const sent = (await warnings()).filter(({ id }) => !before.includes(id));
    const states = (body: string) => messageIn(body).text.includes('This is the last of 20 warnings today.');
    expect([sent.length, sent.filter(({ body }) => states(body)).length]).toEqual([20, 1]);
    await raise(await createApplication(), plusDays(now, 2));
    expect((await warnings()).length).toBe(before.length + 21);
  });
});
