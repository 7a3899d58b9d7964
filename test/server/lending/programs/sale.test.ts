/** A live service sells only programs that meet its requirements. */
import { expect, it } from 'vitest';
import { saleProblems, sellOnlyLivePrograms } from '../../../../server/lending/programs/programs.ts';
import { findProgramOn, findFaultyVersions } from '../../../../server/lending/programs/programs.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { findProgram } from '../../../../server/lending/programs/store.ts';
import { type Instant, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { open, reachAgreement, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { liveProgram, liveProgramReviewedOn } from '../../../support/live-program.ts';
import { createProgram } from '../../../support/programs.ts';
import { fetchResponse } from '../../../support/service.ts';

/** A day on which the sign-off of the live program is new. */
const now: Instant = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('A live service', (engine) => {
  it('sells a version only if it meets the requirements, and lets applications in progress finish', async () => {
    const database = await createDatabase(engine);
    const today = systemClock.now();
    const app = await startApp(database, {});
    const other = await startApp(database, {});
    await importProgram(database, liveProgram, [other.merchantId], { asDefault: true }, today);
    const agreement = await reachAgreement((await app.createCart()).url);
    const untouched = await app.createCart();
    expect((await app.post('/aslowas', { customTotal: 50_000 })).status).toBe(200);

    sellOnlyLivePrograms(database, { hasCards: true });

    // The standard program has an invented lender.
    expect(await app.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ body: { code: 'program-not-found' } });
    const rejected = await app.post('/carts', { options: { customTotal: 50_000 } });
    expect(rejected).toMatchObject({ body: { code: 'program-not-found' } });
    const document = await fetchResponse(`${app.publicUrl}/storefront/programs?key=${app.apiKey}`);
    expect(document).toMatchObject({ status: 200, body: { programs: [] } });
    expect((await open(untouched.url)).text).toContain('expired');

    expect(await submit(agreement)).toMatchObject({ status: 303 });
    expect(await other.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
    expect(await other.createCart()).toMatchObject({ url: expect.any(String) });
  });

  it('lists the versions of all merchants that it does not sell now or later, and sells no lower version instead', async () => {
    const database = await createDatabase(engine);
    const [{ merchantId }, later] = [await startApp(database, {}), await startApp(database, {})];
    const versions = [
      liveProgram,
      { ...liveProgram, version: 2, currency: 'CAD' },
      { ...liveProgram, version: 3, effective: { from: '2999-01-01', to: null }, inquiry: undefined },
    ] as const;
    for (const version of versions) await importProgram(database, version, [merchantId], { asDefault: true }, now);
    await importProgram(
      database,
      createProgram({ version: 2, status: 'retired' }),
      [merchantId, later.merchantId],
      { asDefault: false },
      now,
    );

    sellOnlyLivePrograms(database, { hasCards: true });
    const unsold = [];
    for await (const version of findFaultyVersions(database.query, now)) unsold.push(version);

    const message = expect.stringContaining('Expected');
    expect(unsold.filter((version) => version.merchantId === merchantId)).toEqual([
      { merchantId, program: 'holiday', version: 2, isSold: false, problems: [{ path: 'currency', message }] },
      { merchantId, program: 'holiday', version: 3, isSold: false, problems: [{ path: 'inquiry', message }] },
    ]);
    expect(unsold.filter((version) => version.merchantId === later.merchantId)).toEqual([]);
    const { id } = (await findProgram(database.query, merchantId, 'holiday'))!;
    expect(await findProgramOn(database.query, id, now)).toBeUndefined();
  });

  it('still sells a version whose content an import would reject, and lists it', async () => {
    const database = await createDatabase(engine);
    const { merchantId } = await startApp(database, {});
    const { documents } = liveProgram;
    const text = JSON.stringify(documents).replaceAll('{startOfInterest}', 'Interest starts on {date}.');
    const earlier = { ...liveProgramReviewedOn('2020-01-01'), documents: JSON.parse(text) as typeof documents };
    await importProgram(database, earlier, [merchantId], { asDefault: true }, now);

    sellOnlyLivePrograms(database, { hasCards: true });
    const faulty = [];
    for await (const version of findFaultyVersions(database.query, now)) faulty.push(version);

    const sold = faulty.filter(({ isSold }) => isSold);
    expect(sold).toMatchObject([{ merchantId, program: 'holiday' }]);
    const paths = sold[0]!.problems.map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual(['states.reviews.0.on', 'documents.agreement.en']);
    const { id } = (await findProgram(database.query, merchantId, 'holiday'))!;
    expect(await findProgramOn(database.query, id, now)).toEqual(earlier);
  });

  it('checks a program once', async () => {
    const database = await createDatabase(engine);
    sellOnlyLivePrograms(database, { hasCards: true });
    const problems = saleProblems(database.query, createProgram());
    expect(problems.length).toBeGreaterThan(0);
    const program = createProgram();
    expect(saleProblems(database.query, program)).toBe(saleProblems(database.query, program));
  });
});
