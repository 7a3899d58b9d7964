import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { fill } from '../../shared/languages/texts.ts';
import { addressLines } from '../base/contact.ts';
import { labeledValue } from '../http/pages/elements.ts';
import { type Html, renderHtml } from '../http/pages/html.ts';
import { type Contacts, contactTexts } from '../messages/contacts.ts';
import { printedPhone, withPhones } from '../http/pages/phones.ts';
import { type Texts, texts } from '../base/texts.ts';
import type { FilledAgreement } from './agreement-text.ts';
import type { Parties } from './agreement.ts';
import type { CardPayment } from './email.ts';
import { creditorLine, loanTerms, signatureNotices } from './loan-terms.ts';
import type { NewAgreement } from '../lending/applications/signature.ts';

/** Content of the buyer's copy of an agreement. */
export interface SignedFacts {
  agreement: NewAgreement;
  /** The lender's agreement. */
  text: FilledAgreement | undefined;
  parties: Parties;
  /** The merchant's order reference; may be empty. */
  orderRef: string;
  /** Of the order, with the portion that a card pays. */
  totalCents: number;
  card: CardPayment | undefined;
  contacts: Contacts;
  /** The time zone of the program. */
  timeZone: string;
  /** True if it was signed in a sandbox, where no loan is real. */
  isSandbox: boolean;
}

/**
 * The signed agreement, for the buyer to keep. `documentOf` fills the `style` element, in which templates allow no expression.
 *
 * @param english - The same agreement in English, if it was signed in another language.
 */
export function agreementDocument(facts: SignedFacts, t: Texts, english?: Html): Html {
  const { disclosure } = facts.agreement;
  const lender = disclosure.creditor.name;
  const title = fill(t.document.title, { lender });
  return html`<!doctype html>
    <html lang="${t.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style></style>
      </head>
      <body>
        <main>
          ${facts.isSandbox ? html`<p class="sandbox"><strong>${t.layout.sandbox}</strong> ${t.layout.sandboxMeaning}</p>` : nothing}
          <p class="keep">${t.document.keep}</p>
          ${letterhead(facts)}
          <h1>${t.document.heading}</h1>
          ${content(facts, t)}
          ${
            english
              ? html`<div class="english" lang="en">
                  <h1>${texts.en.document.heading}</h1>
                  <p>You signed this agreement in ${languageNames.of(t.language)}. This is the same agreement in English.</p>
                  ${english}
                </div>`
              : nothing
          }
        </main>
      </body>
    </html>`;
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The lender with its logo. */
function letterhead({ agreement: { disclosure }, contacts }: SignedFacts): Html {
  const logo = contacts.lender?.logo;
  return html`<p class="letterhead">
    ${logo ? html`<img src="${logo}" alt="" height="28" />` : nothing}<span dir="auto">${disclosure.creditor.name}</span>
  </p>`;
}

/**
 * The order is that of the page that was signed. Nothing is folded, because the document may be printed. The disclosures are first, since they
 * are on one page: after the parties, they began on the second page and left a third of the first one empty.
 */
function content(facts: SignedFacts, t: Texts): Html {
  const terms = { disclosure: facts.agreement.disclosure, agreement: facts.text };
  return html`${loanTerms(terms, t, 'open')} ${parties(facts, t)} ${byCard(facts, t)} ${signature(facts, t)}`;
}

/** The agreement in English, for a document in another language. Its ids differ from those of the document. */
export function englishContent(facts: SignedFacts): Html {
  const rendered = renderHtml(content(facts, texts.en));
  // Matches only attributes: texts of buyers and merchants contain no quotation marks after rendering.
  return html`${unsafeHTML(rendered.replace(/ (id|aria-labelledby)="([\w-]+)"/g, ' $1="$2-en"'))}`;
}

function parties({ agreement, parties: { buyer, shipTo }, orderRef, contacts }: SignedFacts, t: Texts): Html {
  const { document: words, agreement: page, language } = t;
  const { id, disclosure } = agreement;
  const { creditor, merchantName } = disclosure;
  const rows: [label: string, value: string | null | undefined][] = [
    [words.creditor, creditorLine(creditor, t)],
    [words.buyer, addressLines(buyer).join(', ')],
    [page.email, buyer.email],
    [page.shipTo, shipTo && addressLines(shipTo).join(', ')],
    [words.merchant, merchantName],
    [words.order, orderRef],
    [words.number, id],
    ...contactTexts({ ...contacts, state: disclosure.state ?? undefined }, language),
  ];
  return html`<section aria-labelledby="parties-heading">
    <h2 id="parties-heading">${words.parties}</h2>
    <dl class="parties">
      ${rows.map(([label, value]) => value && labeledValue(label, withPhones(value, printedPhone)))}
    </dl>
  </section>`;
}

function byCard({ agreement, card, totalCents }: SignedFacts, { document: words, money }: Texts): Html | typeof nothing {
  if (!card) return nothing;
  const { currency } = agreement.disclosure;
  const sentence = fill(words.byCard, {
    total: money(totalCents, currency),
    financed: money(totalCents - card.amountCents, currency),
    amount: money(card.amountCents, currency),
    card: card.label,
  });
  return html`<section aria-labelledby="card-heading">
    <h2 id="card-heading">${words.byCardHeading}</h2>
    <p>${sentence}</p>
  </section>`;
}

function signature({ agreement, timeZone }: SignedFacts, t: Texts): Html {
  const { document: words, moment } = t;
  const { signedName, signedAt, consents } = agreement;
  const signed = fill(words.signed, { name: signedName, moment: moment(signedAt, { timeZone }) });
  return html`<section class="signature" aria-labelledby="consents-heading">
    <h2 id="consents-heading">${words.agreedTo}</h2>
    <ul>
      ${consents.map(({ sentence, information }) => html`<li>${[sentence, ...information].join(' ')}</li>`)}
    </ul>
    <h2>${words.signature}</h2>
    ${signatureNotices(agreement.disclosure, t)}
    <p class="signed">${signedName}</p>
    <p>${signed}</p>
  </section>`;
}
