import Router from '@koa/router';
import { mask } from 'superstruct';
import { asLowAs } from '../../shared/as-low-as.ts';
import { AsLowAsRequest, type AsLowAsResponse } from '../../shared/wire/as-low-as.ts';
import type { Database } from '../db/database.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import { getProgram } from './programs.ts';

/** The merchant API's "as low as" calculation. Mounted below authentication and error mapping. */
export function asLowAsRoutes(database: Database): Router {
  const router = new Router();

  router.post('/aslowas', async (ctx) => {
    const { customTotal, financingProgramId } = mask(ctx.request.body, AsLowAsRequest);
    const program = await getProgram(database.query, merchantOf(ctx), financingProgramId);
    ctx.body = { asLowAs: asLowAs(program, customTotal), financingProgramId: program.id } satisfies AsLowAsResponse;
  });

  return router;
}
