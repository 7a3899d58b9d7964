import { beforeAll, describe, expect, it } from 'vitest';
import type { CreditDecision, CreditRequest } from '../../../../server/lenders/lender.ts';
import { noLender } from '../../../../server/lenders/create-lender.ts';
import type { Database } from '../../../../server/db/database.ts';
import { open, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { startApp } from '../../../support/app.ts';
import { storedApplication } from '../../../support/stored.ts';
import { until } from '../../../support/time.ts';

describe('The lender’s decision', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
  });
  /** Returns a lender whose decisions the test resolves, and the requests that it received. */
  const startSlowLender = () => {
    const requests: (CreditRequest & { resolve(decision: CreditDecision): void })[] = [];
    const decide = (request: CreditRequest) =>
      new Promise<CreditDecision>((resolve) => void requests.push({ ...request, resolve }));
    return { lender: { ...noLender, decide }, requests };
  };
  const applicationOf = (cartId: string) => storedApplication(database, cartId);

  const approved: CreditDecision = { outcome: 'approved', tierId: 'C', limitCents: null };

  it('is requested once for two concurrent submissions, which both await it', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));

    const both = [submit(page), submit(page)];
    await until(() => requests.length === 1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100' });
    requests[0]!.resolve(approved);

    for (const response of await Promise.all(both)) expect(response).toMatchObject({ heading: 'Choose your plan' });
    expect(requests).toHaveLength(1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'APPROVED', tierId: 'C', requestLeasedUntil: null });
  });

  it('applies to the submitted details, which cannot be changed while it is pending', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const details = await open(`${sessionUrl(page)}/details`);

    const applying = submit(page);
    await until(() => requests.length === 1);
    const changed = await submit(details, { firstName: 'Grace', lastName: 'Hopper' });
    expect(changed).toMatchObject({ heading: 'This checkout is already in progress' });
    expect((await applicationOf(cart.id)).billingContact.firstName).toBe('Ada');
    requests[0]!.resolve(approved);
    expect(await applying).toMatchObject({ heading: 'Choose your plan' });
  });

  it('is awaited by the first submission, while a second submission shows the waiting page', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const applying = submit(page);
    await until(() => requests.length === 1);
    expect(await submit(page)).toMatchObject({ status: 200, heading: 'The lender is reviewing your application' });
    requests[0]!.resolve({ outcome: 'denied', reasons: ['income'] });
    await applying;
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'DENIED', statusCode: '300200' });
  });
});
