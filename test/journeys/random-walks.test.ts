/**
 * Random walks through the checkout over HTTP: links, buttons, the back button, two devices, double clicks, lost connections, a
 * merchant who interferes, time that passes. On every walk, every page is an intended one, and every cart leads to at most one
 * purchase.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusCodes } from '../../shared/wire/status-codes.ts';
import { openConnection, startReceiver } from '../support/http.ts';
import { campaign, campaignTimeoutMs, isNightly, rerunCommand } from '../support/campaign.ts';
import { defaultEngine, type Engine } from '../support/databases.ts';
import { startService } from '../support/service.ts';
import { type Walk, walks } from './walks/actions.ts';
import { createShops } from './walks/shops.ts';
import { personalData } from './walks/form-input.ts';
import { runWalk, type WalkContext } from './walks/walker.ts';

/** A date without daylight saving time changes or other special cases. */
const NOON = '2027-03-10T12:00:00.000000Z';

/** Runs walks one after another, and shrinks the first that fails. */
async function runWalks(
  parameters: fc.Parameters<[Walk]>,
  walk: fc.Arbitrary<Walk>,
  take: (walk: Walk) => Promise<void>,
): Promise<void> {
  const found = await fc.check(fc.asyncProperty(walk, take), parameters);
  if (!found.failed) return;
  if (found.counterexample === null) expect.fail('No walk ended within the time budget; run with more --minutes.');
  const { seed, counterexample, counterexamplePath, errorInstance } = found;
  const command = rerunCommand(seed, counterexamplePath, 'test/journeys/random-walks');
  expect.fail(
    `${(errorInstance as Error).message}\n\nThe walk: ${JSON.stringify(counterexample?.[0])}\nTo repeat it: ${command}`,
  );
}

async function createContext(engine: Engine): Promise<WalkContext> {
  const service = await startService(engine);
  service.clock.moveTo(NOON);
  const { url: callbackUrl } = await startReceiver();
  return { service, shops: await createShops(service), connection: openConnection(), callbackUrl, seen: new Map() };
}

/** Pages that a nightly run must reach to be meaningful. */
const PAGES = [
  'details',
  'apply',
  'plans',
  'card',
  'agreement',
  'completed',
  'declined',
  'excluded',
  'waiting',
  'waiting-signed',
  'needs-action',
  'cancel',
  'in-progress',
  'superseded',
  'signed',
  'bought',
  'unknown-link',
]
  .flatMap((page) => [`${page} in en`, `${page} in es`])
  .concat('errorUrl');

/**
 * Status codes that occur while the clock is stopped. An approval of a closed order follows a late decision, and no buyer of the sandbox is
 * denied without a reason, or refused by law.
 */
const CODES = Object.entries(statusCodes)
  .flatMap(([status, codes]) => Object.values(codes).map((code) => `${status} ${code}`))
  .filter((code) => !/^(EXPIRED|CHECKOUT_EXTENDED)|200200|200300|300000|310200/.test(code));

const engines: Engine[] = isNightly ? ['sqlite', 'postgres'] : [defaultEngine];
/** Number of concurrent walks, and number of walks per lane in `npm test`. */
const [LANES, WALKS] = isNightly ? [20, 20] : [4, 8];
const lanes = Array.from({ length: LANES }, (_, lane) => lane);

describe.each(engines)('Random walks (%s)', { timeout: campaignTimeoutMs }, (engine) => {
  it('through the checkout lead to at most one purchase, and only to intended pages', async () => {
    const context = await createContext(engine);
    const take = (walk: Walk): Promise<void> => runWalk(context, walk, { timeMoves: false });
    await Promise.all(lanes.map((lane) => runWalks(campaign(WALKS, lane), walks({ timeMoves: false }), take)));
    expectCleanLog(context);
    const { seen } = context;
    if (isNightly) {
      const unreached = [...PAGES, ...CODES].filter((name) => !seen.has(name));
      expect(unreached, 'Some pages or codes were not reached; a run with more --minutes reaches more').toEqual([]);
    } else {
      const pages = PAGES.filter((page) => seen.has(page)).map((page) => page.replace(/ in ..$/, ''));
      expect(new Set(pages).size).toBeGreaterThan(PAGES.length / 4);
    }
  });

  it('lead to at most one purchase when days and weeks pass between steps', async () => {
    const takeLane = async (lane: number): Promise<void> => {
      const context = await createContext(engine);
      await runWalks(campaign(WALKS, 100 + lane), walks({ timeMoves: true }), (walk) => {
        context.service.clock.moveTo(NOON);
        return runWalk(context, walk, { timeMoves: true });
      });
      expectCleanLog(context);
    };
    await Promise.all(lanes.slice(0, LANES / 4).map(takeLane));
  });
});

function expectCleanLog({ service }: WalkContext): void {
  const log = service.logged.join('\n');
  expect(personalData.filter((data) => data.test(log))).toEqual([]);
  expect(service.logged.filter((line) => line.includes('"error"'))).toEqual([]);
}
