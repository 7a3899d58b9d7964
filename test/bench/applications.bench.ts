/**
 * Time of a page from a list of a million applications: by depth, relative to a minimal Koa handler that runs the same statement and
 * responds with its rows as JSON.
 *
 * `node --import ./test/support/typescript.mjs test/bench/applications.bench.ts [depth|baseline]`; without a name, both.
 */
import { loadavg } from 'node:os';
import { pagesByDepth } from './applications-depth.ts';
import { seededApplications } from './applications-seed.ts';
import { reportFigure } from './figures.ts';
import { compareInTurns, type MeasuredServer, startMeasurement } from './measured.ts';
import { benchKeys, dist } from './built.ts';

const ROUNDS = 9;
const WARM_UP_ROUNDS = 4;
const REQUESTS = 2_000;
const TOKENS = 1_000;

const parts = process.argv.slice(2);
const isRequested = (part: string) => parts.length === 0 || parts.includes(part);
const seeded = await seededApplications();
console.log(
  `Node ${process.versions.node}, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);

if (isRequested('depth')) await pagesByDepth(seeded);
if (isRequested('baseline')) await overHttp();

async function overHttp() {
  const measurement = await startMeasurement();
  try {
    const baseline = await measurement.start('baseline', seeded.file);
    const service = await measurement.start('service', seeded.file);
    const tokens = await tokensFor(service.origin);
    await baseline.send({ read: readOf(seeded) });
    for (const count of [1, TOKENS]) {
      const authorizations = tokens.slice(0, count).map((token) => `Bearer ${token}`);
      const cost = async ({ cpuUs, origin }: MeasuredServer) => {
        const beforeUs = await cpuUs();
        await measurement.send({
          origin,
          method: 'GET',
          path: '/api/application',
          authorizations,
          requests: REQUESTS,
          connections: 64,
        });
        return ((await cpuUs()) - beforeUs) / REQUESTS;
      };
      const { times, details } = await compareInTurns({ baseline, service }, cost, {
        rounds: ROUNDS,
        warmUpTurns: WARM_UP_ROUNDS,
      });
      const what = `processor time for a page of 10, ${count} tokens`;
      reportFigure({ what, value: 1 / times, unit: 'of the baseline', atLeast: 0.35, details });
    }
  } finally {
    await measurement.close();
  }
}

/** Returns distinct tokens of the largest tenant. */
async function tokensFor(origin: string) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { createTokenIssuer } = await dist('server/platform/tokens/issue.js');
  const { systemClock } = await dist('server/base/time.js');
  const database = openSqlite(seeded.file, benchKeys);
  const issue = createTokenIssuer(database, systemClock, origin.replace('127.0.0.1', 'localhost'));
  const grant = { tenantId: seeded.tenantId, scope: 'r:application' };
  const tokens = [];
  // Different lifetimes make the tokens distinct.
  for (let number = 0; number < TOKENS; number++) tokens.push(await issue(grant, 7_200 + number));
  await database.close();
  return tokens;
}

/** Returns a statement that reads the same page as the service: one row more than the page has. */
function readOf({ tenantId }: { tenantId: string }) {
  return {
    sql: 'select * from applications where tenant_id = ? order by created_at desc, id desc limit 11',
    parameters: [tenantId],
  };
}
