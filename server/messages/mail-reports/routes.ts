import Router from '@koa/router';
import type { MailReports } from '../../base/config/mail-reports.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Clock } from '../../base/time.ts';
import type { Database } from '../../db/database.ts';
import { bytesReader } from '../../http/body.ts';
import type { State } from '../../http/context.ts';
import { recordBounce } from '../notice-delivery.ts';
import { bouncesIn, maxReportBytes } from './providers.ts';

export interface MailReportRouteDeps {
  database: Database;
  /** The clock of purchases, which a merchant can move in the sandbox. */
  clock: Clock;
  /** The actual time, for signatures. */
  realClock: Clock;
  mailReports: MailReports;
}

/** Reports of the operator's mail provider about e-mails that bounced after its server had accepted them. */
export function mailReportRoutes({ database, clock, realClock, mailReports }: MailReportRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/mail-reports' });
  const readBytes = bytesReader({ maxBytes: maxReportBytes(mailReports), allowCompression: false });

  router.post('/', async (ctx) => {
    const report = { headers: ctx.headers, body: await readBytes(ctx) };
    const bounces = bouncesIn(mailReports, report, realClock.now());
    if (!bounces) throw new ServiceError('unauthenticated', 'Expected a report with a valid signature of the mail provider.');
    let count = 0;
    // One after the other, so that a long report does not delay requests.
    for (const bounce of bounces) {
      if (await recordBounce(database, bounce, clock.now())) count += 1;
    }
    ctx.body = { failed: count };
  });

  return router;
}
