/**
 * Random walks through the checkout over HTTP: links, buttons, the back button, two devices, double clicks, lost connections, a
 * merchant who interferes, time that passes. Wherever they lead, every page is one that was meant, and every cart comes to one
 * purchase at the most.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusCodes } from '../../server/applications/lifecycle.ts';
import { givenConnection } from '../support/browsing.ts';
import { describeOnEveryEngine } from '../support/engines.ts';
import { givenReceiver } from '../support/receiver.ts';
import { givenService } from '../support/service.ts';
import { type Walk, walks } from '../support/walks/actions.ts';
import { givenShops } from '../support/walks/shops.ts';
import { personalData } from '../support/walks/typing.ts';
import { type Ground, takeWalk } from '../support/walks/walker.ts';

/** A day without summer time anywhere, and without anything else about it. */
const NOON = '2027-03-10T12:00:00.000000Z';

const { FC_SEED, FC_PATH } = process.env;
const seeds = (count: number, first: number) =>
  FC_SEED ? [Number(FC_SEED)] : Array.from({ length: count }, (_, index) => first + index);

/** One walk after the other; the first that fails is made as short as it can be. */
async function takeWalks(
  seed: number,
  numRuns: number,
  walk: fc.Arbitrary<Walk>,
  take: (walk: Walk) => Promise<void>,
): Promise<void> {
  const found = await fc.check(fc.asyncProperty(walk, take), { seed, numRuns, ...(FC_PATH && { path: FC_PATH }) });
  if (!found.failed) return;
  const { counterexample, counterexamplePath, errorInstance } = found;
  const command = `npx vitest run -c test/vitest.config.ts test/journeys/random-walks -t '${expect.getState().currentTestName}'`;
  const replay = `FC_SEED=${seed} FC_PATH=${counterexamplePath} ${command}`;
  expect.fail(
    `${(errorInstance as Error).message}\n\nThe walk: ${JSON.stringify(counterexample?.[0])}\nTo take it again: ${replay}`,
  );
}

async function givenGround(engine: 'sqlite' | 'postgres'): Promise<Ground> {
  const service = await givenService(engine);
  service.clock.moveTo(NOON);
  const { url: callbackUrl } = await givenReceiver();
  return { service, shops: await givenShops(service), connection: givenConnection(), callbackUrl, seen: new Map() };
}

/** What must have been seen on so many walks, lest they prove nothing. */
const SIGHTS = [
  'details',
  'application',
  'plans',
  'card',
  'agreement',
  'completed',
  'declined',
  'unavailable',
  'waiting',
  'waitingSigned',
  'needsAction',
  'cancelling',
  'inProgress',
  'startedAgain',
  'signedElsewhere',
  'boughtElsewhere',
  'unknownLink',
]
  .flatMap((page) => [`${page} in en`, `${page} in es`])
  .concat('errorUrl');

/** Codes of applications that come about while time stands still; whoever asks a lender is mostly too quick for 100100. */
const CODES = Object.entries(statusCodes)
  .flatMap(([status, codes]) => Object.values(codes).map((code) => `${status} ${code}`))
  .filter((code) => !/^(EXPIRED|CHECKOUT_EXTENDED)|310000|300000/.test(code));

describeOnEveryEngine('Random walks', (engine) => {
  const [lanes, walksOfLane] = engine === 'sqlite' ? [40, 20] : [8, 10];
  // Hundreds of walks, of which a machine that runs other files beside them takes minutes.
  const timeout = 600_000;

  it('through the checkout come to one purchase at the most, by pages that are meant', { timeout }, async () => {
    const ground = await givenGround(engine);
    const take = (walk: Walk): Promise<void> => takeWalk(ground, walk, { timeMoves: false });
    await Promise.all(seeds(lanes, 1).map((seed) => takeWalks(seed, walksOfLane, walks({ timeMoves: false }), take)));
    expectCleanLog(ground);
    if (!FC_SEED && engine === 'sqlite') expect([...SIGHTS, ...CODES].filter((sight) => !ground.seen.has(sight))).toEqual([]);
  });

  it('do so, too, when days and weeks pass on the way', { timeout }, async () => {
    const takeLane = async (seed: number): Promise<void> => {
      const ground = await givenGround(engine);
      await takeWalks(seed, walksOfLane, walks({ timeMoves: true }), (walk) => {
        ground.service.clock.moveTo(NOON);
        return takeWalk(ground, walk, { timeMoves: true });
      });
      expectCleanLog(ground);
    };
    await Promise.all(seeds(lanes / 4, 101).map(takeLane));
  });
});

function expectCleanLog({ service }: Ground): void {
  const log = service.logged.join('\n');
  expect(personalData.filter((data) => data.test(log))).toEqual([]);
  expect(service.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
}
