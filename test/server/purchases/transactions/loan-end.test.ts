import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, addMonths, type CivilDate } from '../../../../shared/dates.ts';
import { findApplication } from '../../../../server/lending/applications/store.ts';
import type { Query } from '../../../../server/db/database.ts';
import { dateIn, type Instant, plusDays, systemClock } from '../../../../server/base/time.ts';
import { loanColumnsAfter } from '../../../../server/purchases/transactions/loan.ts';
import { getTransaction, lockTransaction, type Transaction } from '../../../../server/purchases/transactions/store.ts';
import { differencesOf } from '../../../support/audit.ts';
import { completeCheckout, createCart, reachStep, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { transactions } from '../../../support/purchases.ts';
import { startService, type TestMerchant, type TestService } from '../../../support/service.ts';

describeOnEveryEngine('The day on which a loan ends', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
  });

  const read = (id: string) => getTransaction(service.database.query, merchant.merchantId, id);
  const endOf = async (id: string) => (await read(id)).loanEndsOn;
  const act = (id: string, type: string, amount?: number) => merchant.post(`/transactions/actions/${id}`, { type, amount });
  /** Settles a purchase some days after its signature. */
  const settle = async (id: string, afterDays = 0) => {
    await act(id, 'authorize');
    service.clock.moveTo(plusDays(systemClock.now(), afterDays));
    await act(id, 'settle');
    service.clock.moveTo(systemClock.now());
  };
  const signedEndOf = async ({ applicationId }: Transaction): Promise<CivilDate> => {
    const application = await findApplication(service.database.query, applicationId);
    return application!.paymentAgreements[0]!.disclosure.payments.at(-1)!.dueOn;
  };
  /** Saves the payments with which a lender responds to the event of a revision. */
  const state = (id: string, revision: number, dueDates: CivilDate[], now: Instant = service.clock.now()) =>
    service.database.write(async (tx) => {
      const payments = dueDates.map((dueOn) => ({ dueOn, amountCents: 1_000 }));
      await transactions.saveSchedule(tx, await lockTransaction(tx, merchant.merchantId, id), { revision, payments }, now);
    });

  // The purchases of all tests.
  afterAll(async () => expect(await differencesOf(service.database.query)).toEqual([]));

  it('is audited, which reports another day and a day without a loan, and leaves a damaged row out', async () => {
    const { query } = service.database;
    const signed = await completeCheckout(merchant);
    const settled = await completeCheckout(merchant);
    await settle(settled, 40);
    const canceled = await completeCheckout(merchant);
    await act(canceled, 'cancel');
    const [moved, end] = [await endOf(settled), await endOf(signed)];
    const save = (id: string, change: { loanEndsOn?: CivilDate | ''; sealed?: string }) =>
      service.database.write((tx) => tx.updateTable('transactions').set(change).where('id', '=', id).execute());
    const { sealed } = await query.selectFrom('transactions').select('sealed').where('id', '=', signed).executeTakeFirstOrThrow();

    await save(settled, { loanEndsOn: end });
    await save(canceled, { loanEndsOn: end });
    await save(signed, { loanEndsOn: '' });
    expect(await differencesOf(query)).toEqual([
      { transactionId: signed, what: 'loanEndsOn', stored: '', recomputed: end },
      { transactionId: settled, what: 'loanEndsOn', stored: end, recomputed: moved },
      { transactionId: canceled, what: 'loanEndsOn', stored: end, recomputed: '' },
    ]);

    await save(signed, { loanEndsOn: end, sealed: sealed.slice(0, -4) });
    await save(settled, { loanEndsOn: moved });
    await save(canceled, { loanEndsOn: '' });
    expect(await differencesOf(query)).toEqual([]);
    await save(signed, { sealed });
  });

  it('is the last due date of the agreement, also after a settlement before the first payment is due', async () => {
    const id = await completeCheckout(merchant);
    const signed = await signedEndOf(await read(id));
    expect(await endOf(id)).toBe(signed);
    await settle(id, 20);
    expect(await endOf(id)).toBe(signed);
  });

  it('moves with the due dates if the first payment would be due before the settlement', async () => {
    const id = await completeCheckout(merchant);
    const signed = await signedEndOf(await read(id));
    await settle(id, 40);
    const { payments } = (await merchant.get(`/transactions/${id}`)).body.financing.current;
    expect(await endOf(id)).toBe(payments.at(-1).dueDate);
    expect(await endOf(id)).toBe(addMonths(signed, 1));
  });

  it('is not stored without a loan: after a cancellation, after an expiry, and if the card pays all that is left', async () => {
    const canceled = await completeCheckout(merchant);
    await act(canceled, 'cancel');
    const expired = await completeCheckout(merchant);
    service.clock.moveTo(plusDays(systemClock.now(), 8));
    await act(expired, 'authorize');
    const { database } = service;
    const ref = { merchantId: merchant.merchantId, id: expired };
    expect(await transactions.expire(database, ref, service.clock.now())).toBe(true);
    service.clock.moveTo(systemClock.now());
    const cart = await createCart(merchant);
    const agreement = await submit(await reachStep(cart.url, 'card', { taxIdLast4: '1101' }), { card: 'tok_visa' });
    const signed = await submit(agreement);
    const byCard = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    expect(await endOf(byCard)).not.toBe('');
    await act(byCard, 'cancel', 45_000);
    await settle(byCard);

    expect(await read(byCard)).toMatchObject({ status: 'SETTLED', adjustedTotalCents: 30_000 });
    for (const id of [canceled, expired, byCard]) expect(await endOf(id)).toBe('');
  });

  it('stays after a partial refund, and is the day of a refund after which nothing is owed', async () => {
    const id = await completeCheckout(merchant);
    await settle(id);
    await act(id, 'refund', 25_000);
    expect(await endOf(id)).toBe(await signedEndOf(await read(id)));
    service.clock.moveTo(plusDays(systemClock.now(), 50));
    await act(id, 'refund');
    const { status, timeZone, loanEndsOn } = await read(id);
    expect([status, loanEndsOn]).toEqual(['REFUNDED', dateIn(service.clock.now(), timeZone)]);
    service.clock.moveTo(systemClock.now());
    await merchant.post(`/transactions/${id}/shipment`, { trackingNumber: '1' });
    expect(await endOf(id)).toBe(loanEndsOn);
  });

  it('is the last due date that the lender stated, or the day on which it stated that nothing is owed, until the payments change', async () => {
    const id = await completeCheckout(merchant);
    const signed = await signedEndOf(await read(id));
    await settle(id);
    const later = addMonths(signed, 12);
    await state(id, 3, ['2027-01-21', later]);
    expect(await endOf(id)).toBe(later);
    await act(id, 'refund', 1_000);
    expect(await endOf(id)).toBe(signed);
    // The response to the event before the refund.
    await state(id, 3, [later]);
    expect(await endOf(id)).toBe(signed);
    await state(id, 4, [later]);
    expect(await endOf(id)).toBe(later);
    const repaidAt = plusDays(service.clock.now(), 100);
    await state(id, 4, [], repaidAt);
    expect(await endOf(id)).toBe(dateIn(repaidAt, (await read(id)).timeZone));
  });

  it('is again that of the agreement after a settlement that changes the payments that the lender stated before', async () => {
    const id = await completeCheckout(merchant);
    const signed = await signedEndOf(await read(id));
    await act(id, 'authorize');
    await state(id, 2, [addDays(signed, -60)]);
    expect(await endOf(id)).toBe(addDays(signed, -60));
    service.clock.moveTo(plusDays(systemClock.now(), 20));
    await act(id, 'settle');
    service.clock.moveTo(systemClock.now());
    expect(await endOf(id)).toBe(signed);
  });

  it('is known without a statement when a purchase is authorized, shipped, or settled before the first payment is due', async () => {
    // Each statement fails.
    const query = {} as Query;
    const row = await read(await completeCheckout(merchant));
    const authorized: Transaction = { ...row, status: 'AUTHORIZED' };
    const settled: Transaction = { ...row, status: 'SETTLED' };
    const at = service.clock.now();
    const { loanEndsOn, loanFeeCents, loanAprBps } = row;
    const columns = { loanEndsOn, loanFeeCents, loanAprBps };
    const entry = { amountCents: row.totalCents, actor: 'system', at } as const;

    expect(await loanColumnsAfter(query, row, authorized, { ...entry, type: 'authorized' })).toEqual(columns);
    expect(await loanColumnsAfter(query, authorized, settled, { ...entry, type: 'settled' })).toEqual(columns);
    expect(await loanColumnsAfter(query, settled, settled, { ...entry, type: 'shipped' })).toEqual(columns);
    const late = { ...entry, at: plusDays(at, 40), type: 'settled' } as const;
    await expect(loanColumnsAfter(query, authorized, settled, late)).rejects.toThrow();
  });
});
