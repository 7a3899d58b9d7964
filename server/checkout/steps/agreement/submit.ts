import type { Language } from '../../../../shared/languages.ts';
import { ServiceError } from '../../../errors.ts';
import type { CheckoutDeps } from '../../deps.ts';
import type { StartedSession } from '../../session/session.ts';
import { canSign } from '../../session/state.ts';
import { disclosureOf } from '../../signing/agreement.ts';
import { type Completed, completed } from '../../signing/complete.ts';
import { signAgreement, type Signature } from '../../signing/sign.ts';
import { approvalEnd } from '../../web/elements.ts';
import { field, type FormFailure, hiddenField, PersonName, readForm, Checked } from '../../web/read-form.ts';
import type { CheckoutUrls } from '../../web/urls.ts';
import { emptyForm, invalid, type Step, type Submitted } from '../step.ts';
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
    agreementPage(session, disclosureOf(session, view.urls.lang, now), form, view, approvalEnd(session, view, now, deps)),
  submit: async (deps, { application }, body, now, urls) => {
    const read = readSignature(body, urls.lang);
    if (!read.ok) return invalid(read);
    try {
      const signed = await signAgreement(deps, application, read.signature, now);
      return signed ? afterSigning(signed, deps, urls) : 'next';
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'changed-meanwhile') return 'changed';
      throw thrown;
    }
  },
  resubmit: (deps, session, urls) => afterSigning(completed(session, session.transactionId), deps, urls),
  awaitsLender: true,
};

/**
 * Redirects a buyer who has signed to the shop. Without an e-mail sender the page with the link to their copy comes first, and in a
 * frame or a popup that page notifies the shop's page.
 */
function afterSigning({ redirectUrl }: Completed, { mail }: CheckoutDeps, urls: CheckoutUrls): Submitted {
  return { leaveFor: mail.handling === 'rejected' || urls.display !== 'page' ? urls.to() : redirectUrl };
}

export const signatureFields = {
  electronic: field(Checked, 'electronic'),
  agree: field(Checked, 'agree'),
  signedName: field(PersonName(200), 'signedName'),
};

/** Reads a posted signature. `shownHash` is a hidden field; a form without it matches nothing that was shown. */
export function readSignature(body: unknown, language: Language): { ok: true; signature: Signature } | FormFailure {
  const read = readForm(signatureFields, body);
  if (!read.ok) return read;
  const { signedName: name } = read.values;
  return { ok: true, signature: { name, shownHash: hiddenField(body, 'shownHash'), language } };
}
