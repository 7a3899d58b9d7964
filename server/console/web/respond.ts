import type { Html } from '../../http/html.ts';
import type { StaticFile } from '../../http/static-files.ts';
import type { Mode } from '../../mode.ts';
import type { OwnForms } from '../../pages/form-token.ts';
import { isCrossSite } from '../../pages/form-token.ts';
import type { Texts } from '../../texts.ts';
import { type Inside, layout } from './layout.ts';
import type { ConsolePage } from './screen.ts';
import { type ConsoleContext, ownForm, send } from './visit.ts';

/** Dependencies of all pages. */
export interface Responder {
  forms: OwnForms;
  mode: Mode;
  stylesheet: StaticFile;
  script: StaticFile;
}

/** Renders a form that is posted to an address of the console, with its token. */
export type OwnForm = (address: string, content: Html) => Html;

/** Responds with a page. @param inside - The user and the merchant, if the page is one of a merchant's. */
export function showPage(
  ctx: ConsoleContext,
  { forms, mode, stylesheet, script }: Responder,
  pageOf: (form: OwnForm) => ConsolePage,
  inside?: Omit<Inside, 'signOut'>,
): void {
  const { visit } = ctx.state;
  const form: OwnForm = (address, content) => ownForm(ctx, forms, address, content);
  const page = pageOf(form);
  const whole = layout({
    page,
    language: visit.language,
    t: visit.t,
    stylesheet: stylesheet.url,
    script: script.url,
    isSandbox: mode === 'sandbox',
    path: ctx.path,
    query: ctx.querystring,
    // Another site cannot make a page confirm what did not happen.
    done: isCrossSite(ctx.headers, forms.ownOrigin) ? undefined : confirmation(visit.t, ctx.query['done']),
    inside: inside && { ...inside, signOut: (content) => form('/console/sign-out', content) },
  });
  send(ctx, page, whole, forms);
}

/** Returns the text of a confirmation. @param key - `settings.invited`: unknown input. */
function confirmation({ console: all }: Texts, key: unknown): string | undefined {
  const [section, name] = String(key).split('.');
  const found = Object.entries(all).find(([each]) => each === section)?.[1];
  if (!found || !('done' in found)) return undefined;
  return Object.entries(found.done).find(([each]) => each === name)?.[1];
}
