import { fill } from '../../../../shared/languages/texts.ts';
import { termsOf } from '../../../agreements/agreement.ts';
import { type BuyerContact, fullName } from '../../../base/contact.ts';
import { ServiceError } from '../../../base/errors.ts';
import { foldedWords } from '../../../base/folded-words.ts';
import { emptyForm } from '../../../http/pages/elements.ts';
import {
  Checked,
  field,
  type FormFailure,
  hiddenField,
  type Message,
  personField,
  readForm,
  redisplayedForm,
} from '../../../http/pages/read-form.ts';
import type { CheckoutDeps } from '../../session/deps.ts';
import type { StartedSession } from '../../session/session.ts';
import { canSign } from '../../session/state.ts';
import { type Completed, completed, recordReturn } from '../../signing/complete.ts';
import { WrongCodeError } from '../../signing/one-time-code.ts';
import { signAgreement } from '../../waiting/sign-agreement.ts';
import { redirectsToShop } from '../../web/pages.ts';
import type { CheckoutUrls } from '../../web/urls.ts';
import { approvalEnd } from '../elements.ts';
import { invalid, type Step, type Submitted } from '../step.ts';
import { agreementPage } from './template.ts';

/** The disclosure, and the signature. */
export const agreementStep: Step = {
  name: 'agreement',
  title: (t) => t.agreement.title,
  appliesTo: () => true,
  isOpen: canSign,
  isDone: () => false,
  form: emptyForm,
  template: (session: StartedSession, form, view, now, deps) =>
    agreementPage(session, termsOf(session, view.urls.lang, now), form, view, approvalEnd(session, view, now, deps)),
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
