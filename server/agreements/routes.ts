import { createHash, timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import { html } from '@lit-labs/ssr';
import { fill } from '../../shared/languages/texts.ts';
import { Zip } from '../../shared/wire/contact-fields.ts';
import { findApplication } from '../lending/applications/store.ts';
import type { Database } from '../db/database.ts';
import type { Context, State } from '../http/context.ts';
import { renderHtml, sendCompressed } from '../http/pages/html.ts';
import { clientNetworks, type RateLimiters, requireWithin, truncatedNetwork } from '../http/rate-limit.ts';
import { countDocumentProof } from '../http/attempts.ts';
import type { FailedLogins } from '../merchants/failed-logins.ts';
import { errorSummary, type FormState, textField, emptyForm } from '../http/pages/elements.ts';
import { messagePage, type PageContent, type PageView, type ShowPage, unknownLinkPage } from '../http/pages/page.ts';
import { field, readForm } from '../http/pages/read-form.ts';
import { type Texts, texts } from '../base/texts.ts';
import { type Clock, plusDays } from '../base/time.ts';
import { loanBlock, loanPartiesOf } from '../purchases/transactions/loan-block.ts';
import { readLoan } from '../purchases/transactions/loan.ts';
import { findTransactionOfApplication } from '../purchases/transactions/store.ts';
import type { Transactions } from '../purchases/transactions/transactions.ts';
import { signedAgreement } from './agreement.ts';
import { canBePdf, type DocumentOptions, documentPolicy, isAsSigned } from './document.ts';
import type { PdfRenderer } from './pdf-renderer.ts';
import { type StoredDocument, findDocument, isDocumentRevoked } from './store.ts';
import type { PaymentAgreement } from '../lending/applications/signature.ts';

export interface DocumentRouteDeps {
  database: Database;
  /** The clock of purchases, which a merchant can move in the sandbox. */
  clock: Clock;
  showPage: ShowPage;
  pdfs: PdfRenderer;
  /** `documentLinkDays`: days after the signature for which a link alone shows the document. */
  mail: Pick<DocumentOptions, 'documentLinkDays'>;
  transactions: Transactions;
  /** `documentPdfs`: renders of one document in an hour. */
  limits: Pick<RateLimiters, 'documentPdfs'>;
  /** Attempts per hour to open an old link, from one address and for one agreement; 0 or undefined: no limit. */
  attemptLimits?: { documentProofs: number } | undefined;
  /** Counts wrong ZIP codes, at the time of `realClock`, for the operator. */
  failedLogins: FailedLogins;
  realClock: Clock;
}

type LinkContext = Context & { params: Record<string, string> };

/**
 * The buyer's copy of a signed agreement, at a link that only the buyer gets. An old link asks for the ZIP code of the billing address
 * each time, because there are no cookies (decisions/0021).
 */
export function documentRoutes(routeDeps: DocumentRouteDeps): Router<State> {
  const { database, clock, showPage, pdfs, transactions, limits, failedLogins, realClock } = routeDeps;
  const { documentLinkDays } = routeDeps.mail;
  const documentProofs = routeDeps.attemptLimits?.documentProofs ?? 0;
  const router = new Router<State>({ prefix: '/a/:code' });

  router.get('/', async (ctx: LinkContext) => {
    const found = await findCopy(ctx);
    if (!found) return;
    if (found.isOld) return showProof(ctx, 200, emptyForm());
    await showCopy(ctx, found);
  });

  router.get('/agreement.pdf', async (ctx: LinkContext) => {
    const found = await findCopy(ctx);
    if (!found) return;
    if (found.isOld) return ctx.redirect(`/a/${ctx.params['code']}`);
    if (!requireIntact(ctx, found)) return;
    const { id, createdAt: signedAt, language } = found.document;
    const page = await shownDocument(found);
    if (!canBePdf(page)) return showPage(ctx, 404, noPdf);
    requireWithin(ctx, limits.documentPdfs, id);
    ctx.body = await pdfs.render({ html: page, signedAt, language });
    ctx.type = 'pdf';
    ctx.set('content-language', language);
    ctx.set('content-disposition', 'inline; filename="agreement.pdf"');
  });

  router.post('/', async (ctx: LinkContext) => {
    const found = await findCopy(ctx);
    if (!found) return;
    if (!found.isOld) return showPage(ctx, 404, unknownLinkPage);
    const read = readForm({ zip: field(Zip, 'zip') }, ctx.request.body);
    if (!read.ok) return showProof(ctx, 422, read);

    const networks = clientNetworks(ctx);
    // By `clock`, because the job that deletes old attempts of buyers uses it, too.
    const waitSeconds = await countDocumentProof(database, networks, found.document.id, documentProofs, clock.now());
    if (waitSeconds > 0) {
      ctx.set('retry-after', String(waitSeconds));
      return showProof(ctx, 429, withError('tooMany'));
    }
    if (!isSameZip(read.values.zip, found.zip)) {
      failedLogins.add('document-proof-failed', truncatedNetwork(networks), realClock.now());
      return showProof(ctx, 422, withError('wrong'));
    }
    await showCopy(ctx, found);
  });

  /** Returns the document of a link, or responds with the reason why it is not shown. */
  async function findCopy(ctx: LinkContext): Promise<Copy | undefined> {
    const document = await findDocument(database.query, ctx.params['code']!);
    const application = document && (await findApplication(database.query, document.applicationId));
    if (!document || !application) {
      showPage(ctx, 404, unknownLinkPage);
      return undefined;
    }
    const signed = signedAgreement(application);
    if (await isDocumentRevoked(database.query, application.id)) {
      showPage(ctx, 410, (view) => revokedDocument(signed, view));
      return undefined;
    }
    const isOld = plusDays(document.createdAt, documentLinkDays) <= clock.now();
    return { document, signed, isOld, zip: application.billingContact.zip };
  }

  /** Returns true if the stored document is the signed one. Otherwise responds with an error page. */
  function requireIntact(ctx: LinkContext, { document, signed }: Copy): boolean {
    if (isAsSigned(document, signed)) return true;
    ctx.app.emit('error', new ChangedDocument(), ctx);
    showPage(ctx, 500, (view) => changedDocument(signed, view));
    return false;
  }

  async function showCopy(ctx: LinkContext, found: Copy): Promise<void> {
    if (!requireIntact(ctx, found)) return;
    const { document } = found;
    ctx.status = 200;
    ctx.set('content-language', document.language);
    ctx.set('content-security-policy', documentPolicy(document.html));
    ctx.set('x-frame-options', 'DENY');
    ctx.type = 'html';
    sendCompressed(ctx, await shownDocument(found));
  }

  /** Returns the signed document, which begins with the state of the loan if that has changed since. */
  async function shownDocument({ document, signed }: Copy): Promise<string> {
    const transaction = await findTransactionOfApplication(database.query, document.applicationId);
    if (!transaction || !signed) return document.html;
    const t = texts[document.language];
    const loan = await readLoan(database.query, transactions.at(transaction, clock.now()));
    const block = loanBlock(loan, loanPartiesOf(signed.disclosure, t), t);
    if (!block) return document.html;
    const { heading, paragraphs, rows = [] } = block;
    const lines = [...paragraphs, ...rows.map(([label, value]) => `${label}: ${value}`)];
    // The stored document has only its own styles, so the note of the sandbox is the box for the state of the loan.
    const state = html`<p class="sandbox"><strong>${heading}.</strong></p>
      ${lines.map((line) => html`<p class="sandbox">${line}</p>`)}`;
    return document.html.replace('<main>', (main) => `${main}${renderHtml(state)}`);
  }

  function showProof(ctx: LinkContext, status: number, form: FormState): void {
    showPage(ctx, status, (view) => proofPage(form, documentLinkDays, view));
  }

  return router;
}

interface Copy {
  document: StoredDocument;
  signed: PaymentAgreement | undefined;
  /** True if the link alone no longer shows the document. */
  isOld: boolean;
  /** ZIP code of the billing address. */
  zip: string;
}

/** Compares the first five digits in constant time. */
function isSameZip(entered: string, stored: string): boolean {
  const digest = (zip: string) => createHash('sha256').update(zip.slice(0, 5)).digest();
  return stored !== '' && timingSafeEqual(digest(entered), digest(stored));
}

/** The entered ZIP code is not shown again. */
function withError(text: 'tooMany' | 'wrong'): FormState {
  return { values: {}, errors: { zip: (t) => t.documentProof[text] } };
}

function proofPage(form: FormState, days: number, { t, urls }: PageView): PageContent {
  const { title, lead, zip, zipHint, submit, help } = t.documentProof;
  return messagePage(
    'document-proof',
    { title, lead: fill(lead, { days: String(days) }) },
    html`${errorSummary(t, form)}
      <form method="post" action="${urls.to()}" novalidate>
        ${textField(t, form, { name: 'zip', label: zip, hint: zipHint, autocomplete: 'billing postal-code', inputmode: 'numeric' })}
        <div class="actions"><button type="submit">${submit}</button></div>
      </form>
      <p>${help}</p>`,
  );
}

/** Shown instead of a PDF whose fonts lack a character of the document. */
function noPdf({ t, urls }: PageView): PageContent {
  const open = html`<p class="actions"><a class="button" href="${urls.to()}">${t.copy.open}</a></p>`;
  return messagePage('document-without-pdf', t.documentWithoutPdf, open);
}

/** The page of a link that the operator revoked. */
function revokedDocument(agreement: PaymentAgreement | undefined, { t }: PageView): PageContent {
  const contact = fill(t.documentRevoked.contact, { lender: lenderOf(agreement, t) });
  return messagePage('document-revoked', t.documentRevoked, html`<p>${contact}</p>`);
}

function lenderOf(agreement: PaymentAgreement | undefined, t: Texts): string {
  return agreement?.disclosure.creditor.name ?? t.copy.theLender;
}

/** A stored document is not the signed one: the database was modified. */
class ChangedDocument extends Error {
  override readonly name = 'ChangedDocument';
}

/** Shown instead of a stored document that is not the signed one. */
function changedDocument(agreement: PaymentAgreement | undefined, { t }: PageView): PageContent {
  const lead = fill(t.completed.notIntact, { lender: lenderOf(agreement, t) });
  return messagePage('document-changed', { title: t.completed.copy, lead });
}
