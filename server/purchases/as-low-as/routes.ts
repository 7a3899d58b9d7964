import Router from '@koa/router';
import { mask } from 'superstruct';
import { disclosureTexts, type Language, LANGUAGES } from '../../../shared/languages/index.ts';
import { AsLowAsRequest } from '../../../shared/wire/as-low-as.ts';
import type { Readable } from '../../db/database.ts';
import type { Context, State } from '../../http/context.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import type { Clock } from '../../base/time.ts';
import { getSoldProgram } from '../../lending/programs/programs.ts';
import { quoteOf } from '../../lending/programs/as-low-as/quotes.ts';

/** Route of the merchant API for quotes. Authentication and error mapping are applied by `app.ts`. */
export function asLowAsRoutes({ query }: Readable, clock: Clock): Router<State> {
  const router = new Router<State>();

  router.post('/aslowas', async (ctx) => {
    const { customTotal, financingProgramId } = mask(ctx.request.body, AsLowAsRequest);
    const now = clock.now();
    const { program } = await getSoldProgram(query, merchantOf(ctx), financingProgramId, now);
    const texts = disclosureTexts[languageFor(ctx)];
    ctx.set('content-language', texts.language);
    ctx.type = 'json';
    ctx.body = quoteOf(program, customTotal, now, texts).json;
  });

  return router;
}

/** Returns the language of `Accept-Language`. Defaults to English, because most callers do not send the header. */
function languageFor(ctx: Context): Language {
  if (ctx.get('accept-language') === '') return 'en';
  const accepted = ctx.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? 'en';
}
