import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill, counted } from '../../../shared/languages/texts.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { termsOf, type Parties, partiesOf, shownHash } from '../../agreements/agreement.ts';
import { type BuyerContact, fullName, addressLines } from '../../base/contact.ts';
import { ServiceError } from '../../base/errors.ts';
import { foldedWords } from '../../base/folded-words.ts';
import {
  emptyForm,
  addressBlock,
  codeField,
  errorSummary,
  printButton,
  type FormState,
  labeledValue,
  textField,
  checkboxField,
} from '../../http/pages/elements.ts';
import {
  Checked,
  field,
  type FormFailure,
  hiddenField,
  type Message,
  personField,
  readForm,
  redisplayedForm,
} from '../../http/pages/read-form.ts';
import { agreementConsents } from '../../agreements/consents.ts';
import { loanTerms, signatureNotices } from '../../agreements/loan-terms.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { StartedSession } from '../session/session.ts';
import { canSign } from '../session/state.ts';
import { type Completed, completed, recordReturn } from '../signing/complete.ts';
import { WrongCodeError, hasCode } from '../signing/one-time-code.ts';
import { signAgreement } from '../waiting/sign-agreement.ts';
import { redirectsToShop } from '../web/pages.ts';
import type { CheckoutUrls, View } from '../web/urls.ts';
import { postForm } from '../web/forms.ts';
import { includedDownPayment, restByCard } from '../session/portions.ts';
import { approvalEnd, invalid, type Step, type Submitted } from './step.ts';

/** The disclosure, and the signature. */
export const agreementStep: Step = {
  name: 'agreement',
  title: (t) => t.agreement.title,
  appliesTo: () => true,
  isOpen: canSign,
  isDone: () => false,
  form: emptyForm,
  template: agreementPage,
  submit: async (deps, { application }: StartedSession, body, now, urls, client) => {
    const read = readSignature(body, application.billingContact);
    if (!read.ok) return invalid(read);
    const signature = {
      name: read.name,
      shownHash: hiddenField(body, 'shownHash'),
      language: urls.lang,
      client,
      code: hiddenField(body, 'signatureCode'),
    };
    try {
      // Undefined while the lender has not answered: the next page waits for it.
      const signed = await signAgreement(deps, application, signature, now);
      return signed ? afterSigning(signed, deps, urls) : 'next';
    } catch (thrown) {
      if (thrown instanceof WrongCodeError) {
        const values = { ...redisplayedForm(body), signatureCode: '' };
        return invalid({ values, errors: { signatureCode: (t) => t.code[thrown.result] } });
      }
      if (thrown instanceof ServiceError && thrown.code === 'changed-meanwhile') return 'changed';
      throw thrown;
    }
  },
  resubmit: async (deps, session, now, urls) => {
    await recordReturn(deps, session, now);
    return afterSigning(completed(session, session.transactionId), deps, urls);
  },
  awaitsLender: true,
};

/** Redirects a buyer who has signed to the shop, or to the page of the purchase. */
function afterSigning({ redirectUrl }: Completed, { mail }: CheckoutDeps, urls: CheckoutUrls): Submitted {
  return redirectsToShop(mail, urls) ? { externalUrl: redirectUrl } : 'next';
}

export const signatureFields = {
  electronic: field(Checked, 'electronic'),
  agree: field(Checked, 'agree'),
  // A first name, a last name, and other names.
  signedName: personField(250, 'signedName'),
};

/** Reads a posted signature, which must be the applicant's name. */
function readSignature(body: unknown, buyer: BuyerContact): { ok: true; name: string } | FormFailure {
  const read = readForm(signatureFields, body);
  if (!read.ok) return read;
  const { signedName: name } = read.values;
  if (isSignatureOf(name, buyer)) return { ok: true, name };
  const differs: Message = ({ messages }) => fill(messages.signedNameDiffers, { name: fullName(buyer) });
  return { ok: false, values: redisplayedForm(body), errors: { signedName: differs } };
}

/**
 * Returns true if a signature is the name of a person: it contains the first and the last name, in this order. Words are compared as in
 * searches (`foldedWords`), and other names, such as middle names, are allowed.
 */
export function isSignatureOf(signature: string, { firstName, lastName }: Pick<BuyerContact, 'firstName' | 'lastName'>): boolean {
  const signed = foldedWords(signature);
  let next = 0;
  return [...foldedWords(firstName), ...foldedWords(lastName)].every((word) => {
    next = signed.indexOf(word, next) + 1;
    return next > 0;
  });
}

/** Renders the payments, the disclosure and the agreement, the buyer, the card portion, which is not part of them, and the signature form. */
function agreementPage(
  session: StartedSession,
  form: FormState,
  view: View,
  now: Instant,
  deps: Pick<CheckoutDeps, 'approvals'>,
): Html {
  const { t, urls } = view;
  const terms = termsOf(session, urls.lang, now);
  const lender = terms.disclosure.creditor.name;
  const consents = agreementConsents(session.program, t);
  return html`<p class="lead">${fill(t.agreement.lead, { lender })} ${financedPart(session, t)}</p>
    ${errorSummary(t, form)} ${summary(terms.disclosure, t)}
    ${loanTerms(terms, t)} ${parties(session, view)} ${approvalEnd(session, view, now, deps)} ${paidByCard(session, view)} ${printButton(t.agreement.print)}
    ${sendCodeForm(session, view)}
    ${postForm(
      urls,
      'agreement',
      html`<input type="hidden" name="shownHash" value="${shownHash(terms, session.application, consents)}" />
        <div class="signing">
          ${checkboxField(t, form, 'electronic', consents.electronic.sentence)}
          ${consents.agreement.information.map((sentence) => html`<p>${sentence}</p>`)}
          ${checkboxField(t, form, 'agree', consents.agreement.sentence)}
          ${signatureNotices(terms.disclosure, t)}
          <fieldset>
            <legend>${t.agreement.signature}</legend>
            ${textField(t, form, {
              name: 'signedName',
              label: t.agreement.signedName,
              hint: fill(t.agreement.signedNameHint, { name: fullName(session.application.billingContact) }),
              autocomplete: 'name',
            })}
            ${session.program.signature.code === 'none' ? nothing : codeField(t, form, 'signatureCode')}
          </fieldset>
        </div>
        <div class="actions">
          <button type="submit">${t.agreement.submit}</button>
          <a href="${urls.to('plans')}">${t.agreement.back}</a>
        </div>`,
    )}`;
}

/** States how much of the order is financed if a card pays the rest: not in the federal box, 12 CFR 1026.17(a)(1). */
function financedPart({ portions, purchase, program: { currency } }: StartedSession, t: Texts): string {
  if (portions.cardCents === 0) return '';
  const amounts = { financed: t.money(portions.financedCents, currency), total: t.money(purchase.totals.totalCents, currency) };
  return `${fill(t.agreement.financed, amounts)} ${restByCard(portions, currency, t)}`;
}

/** The payments and a link to the signature. Stays in view while the buyer reads. */
function summary({ payments, currency, totalOfPaymentsCents }: LoanDisclosure, t: Texts): Html {
  const [first] = payments;
  const { summary: label, payments: count, firstDue, toSignature } = t.agreement;
  const values = {
    amount: t.money(first!.paymentCents, currency),
    date: t.date(first!.dueOn),
    last: t.date(payments.at(-1)!.dueOn),
    total: t.money(totalOfPaymentsCents, currency),
  };
  return html`<p class="agreement-bar" role="group" aria-label="${label}">
    <span><strong>${counted(count, payments.length)}</strong>, ${fill(firstDue, values)}</span>
    <a href="#signedName">${toSignature}</a>
  </p>`;
}

/** The button that sends the one-time code, if the program requires one. Before the signature, so that nothing typed is lost. */
function sendCodeForm({ program, application }: StartedSession, { t, urls }: View): Html | typeof nothing {
  const { code } = program.signature;
  if (code === 'none') return nothing;
  const { email, phone } = application.billingContact;
  const lead = code === 'email' ? fill(t.code.byEmail, { email }) : fill(t.code.byText, { digits: phone.slice(-4) });
  return html`<section class="note" aria-labelledby="code-heading">
    <h2 id="code-heading">${t.code.heading}</h2>
    <p>${lead}</p>
    ${postForm(
      urls,
      'signing-code',
      html`<button type="submit" class="quiet">${hasCode(application, 'signature') ? t.code.sendAgain : t.code.send}</button>`,
    )}
  </section>`;
}

function parties(session: StartedSession, { t, urls }: View): Html {
  return html`<section class="parties" aria-labelledby="parties-heading">
    <h2 id="parties-heading">${t.details.title}</h2>
    <dl>
      ${partyRows(partiesOf(session), t).map(([label, value]) => labeledValue(label, value))}
    </dl>
    <p>${t.agreement.wrong} <a href="${urls.toLink('restart')}">${t.agreement.startAgain}</a></p>
  </section>`;
}

/** Labels and values of the buyer and the addresses. The home address has its own row unless it is the shipping address. */
function partyRows({ buyer, shipTo }: Parties, { agreement: texts }: Texts): [label: string, value: Html][] {
  const isElsewhere = shipTo !== undefined && addressLines(shipTo).join() !== addressLines(buyer).join();
  const rows: [label: string, value: Html][] = [
    [texts.buyer, html`<bdi>${fullName(buyer)}</bdi>`],
    [texts.email, html`<bdi>${buyer.email}</bdi>`],
  ];
  if (shipTo) rows.push([texts.shipTo, addressBlock(shipTo)]);
  if (!shipTo || isElsewhere) rows.push([texts.homeAddress, addressBlock(buyer)]);
  return rows;
}

/** The card portion, which is not part of the agreement. */
function paidByCard({ portions, program, merchant, application }: StartedSession, { t, urls }: View): Html | typeof nothing {
  const { cardCents } = portions;
  if (cardCents === 0) return nothing;
  const values = { remainder: t.money(cardCents, program.currency), card: application.cardLabel, merchant: merchant.name };
  return html`<section class="note" aria-labelledby="card-heading">
    <h2 id="card-heading">${t.agreement.cardHeading}</h2>
    <p>${fill(t.agreement.cardPays, values)} ${includedDownPayment(portions, program.currency, t)} <a href="${urls.to('card')}">${t.agreement.otherCard}</a></p>
  </section>`;
}
