import { plusDays, dateIn, type Instant } from '../base/time.ts';
import { LANGUAGES } from '../../shared/languages/index.ts';
import { texts } from '../base/texts.ts';
import type { Query } from '../db/database.ts';
import { renderHtml } from '../http/pages/html.ts';
import type { StaticFile } from '../http/static-files.ts';
import { latestOf } from '../lending/programs/programs.ts';
import { versionsOf } from '../lending/programs/store.ts';
import type { Merchant } from '../merchants/store.ts';
import { sessionOf } from './session/session.ts';
import type { EmailOptions } from './session/deps.ts';
import { steps } from './step-registry.ts';
import { detailsStep } from './steps/details/submit.ts';
import { detailsPage } from './steps/details/template.ts';
import { layout } from './web/layout.ts';
import { checkoutStyles } from './web/pages.ts';
import { providersOf } from './web/recipients.ts';
import { createUrls, oneOf } from './web/urls.ts';

/** The one of the pages, whose address is that of its content. */
let stylesheet: StaticFile | undefined;

/** A cart that no buyer has. */
const SAMPLE = {
  items: [{ name: 'Sample product', sku: 'SAMPLE-1', price: 129_900, quantity: 1, imageUrl: '', detailUrl: '' }],
  orderRef: 'SAMPLE',
  tax: 10_392,
  disableEditShipping: false,
  requireShippingContact: false,
};

/**
 * Returns the first page of a checkout of the merchant with a sample cart, which is not stored. It has no script. Undefined if the merchant
 * has no program.
 *
 * @param named - Name of its language, which its links to other languages put into the parameter `lang`; by default English.
 */
export async function previewOf(
  query: Query,
  merchant: Merchant,
  mail: EmailOptions,
  named: string | null,
  now: Instant,
): Promise<string | undefined> {
  const { id: merchantId, defaultProgramId: programId } = merchant;
  const latestVersion = latestOf(await versionsOf(query, programId))?.version;
  if (latestVersion === undefined) return undefined;
  const cart = {
    id: 'preview',
    merchantId,
    code: 'preview',
    status: 'OPEN' as const,
    createdBy: '',
    expiresOn: dateIn(plusDays(now, 1), 'UTC'),
    programId,
    options: SAMPLE,
    transactionId: null,
    userId: null,
    openedAt: null,
    contactsDeletedAt: null,
    submissions: 0,
    createdAt: now,
  };
  const rows = { cart, merchant: { ...merchant, origins: [] }, latestVersion, application: undefined };
  const session = await sessionOf(query, rows, 'everyone', now);
  const lang = oneOf(LANGUAGES, named) ?? 'en';
  const t = texts[lang];
  const urls = createUrls({ code: cart.code, lang, display: 'page' });
  const inPreview = { ...urls, in: (other: typeof lang) => ({ ...urls.in(other), to: () => `?lang=${other}` }) };
  const providers = providersOf({ cards: undefined, mail });
  const view = { t, urls: inPreview, isSandbox: mail.mode === 'sandbox', operator: mail.operator, providers };
  const title = detailsStep.title(t, session);
  const labels = steps.filter((step) => step.appliesTo(session)).map(({ name }) => t.steps[name]);
  const content = detailsPage(session, detailsStep.form(session), view);
  const progress = { labels, current: 0 };
  const { url } = (stylesheet ??= checkoutStyles());
  return renderHtml(layout({ title, heading: title, stylesheet: url, progress, session, content, now }, view));
}
