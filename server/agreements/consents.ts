import { hash } from 'node:crypto';
import { fill } from '../../shared/languages/texts.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { Consent } from '../lending/applications/signature.ts';
import type { Texts } from '../base/texts.ts';
import type { Instant } from '../base/time.ts';

/** A statement as a page shows it, before the buyer agrees. */
export type ShownConsent = Omit<Consent, 'at'>;

/** The parts of a checkout that the consents name. `inquiry` is the lender's: hard or soft, at the application and at the acceptance. */
interface Parties {
  program: Pick<Program, 'lender' | 'inquiry'>;
  merchant: { name: string };
}

/** The consents of the application page. The page renders them, so that what is stored is what was shown. */
export interface ApplicationConsents {
  creditReport: ShownConsent;
  /** With the information that the law requires before the consent: 15 USC 7001(c)(1). */
  electronic: ShownConsent;
  /** Confirms the receipt of the lender's privacy notice: 12 CFR 1016.9(b)(1)(iii). Undefined if the program has none. */
  privacyNotice: ShownConsent | undefined;
}

export function applicationConsents({ program, merchant }: Parties, t: Texts): ApplicationConsents {
  const { lender, inquiry } = program;
  const texts = t.application;
  const { name, phone = '', address = '' } = lender;
  const names = { lender: name, merchant: merchant.name, phone, address };
  const { application, acceptance = 'none' } = inquiry ?? {};
  const creditReport = [
    texts.consent,
    ...(application ? [texts.inquiries[application]] : []),
    ...(acceptance === 'none' ? [] : [texts.inquiriesAtAcceptance[acceptance]]),
  ].join(' ');
  const electronicInformation = [
    texts.electronicCovers,
    texts.electronicPaper,
    `${withdrawal(lender, t)} ${texts.electronicWithdrawn}`,
    texts.electronicNeeds,
  ];
  return {
    creditReport: shown('credit-report', fill(creditReport, names), [], t),
    electronic: shown(
      'electronic-documents',
      texts.electronic,
      electronicInformation.map((sentence) => fill(sentence, names)),
      t,
    ),
    privacyNotice:
      lender.privacyNotice &&
      shown(
        'privacy-notice',
        fill(texts.privacyNoticeReceived, names),
        [lender.privacyNotice.url, `SHA-256 ${lender.privacyNotice.sha256}`],
        t,
      ),
  };
}

/** Returns the unfilled sentence about how to withdraw the consent to electronic documents: 15 USC 7001(c)(1)(B)(iii). */
function withdrawal({ phone, address }: Program['lender'], { application }: Texts): string {
  const { both, byPhone, byMail, unknown } = application.electronicWithdrawal;
  if (phone && address) return both;
  return phone ? byPhone : address ? byMail : unknown;
}

/** The consents of the agreement page. */
export interface AgreementConsents {
  electronic: ShownConsent;
  agreement: ShownConsent;
}

export function agreementConsents({ lender, inquiry }: Parties['program'], t: Texts): AgreementConsents {
  const { electronic, agree, inquiries } = t.agreement;
  const names = { lender: lender.name };
  const { acceptance = 'none' } = inquiry ?? {};
  const information = acceptance === 'none' ? [] : [fill(inquiries[acceptance], names)];
  return {
    electronic: shown('electronic-agreement', electronic, [], t),
    agreement: shown('agreement', fill(agree, names), information, t),
  };
}

function shown(name: Consent['name'], sentence: string, information: string[], { language }: Texts): ShownConsent {
  const sha256 = hash('sha256', [sentence, ...information].join('\n'), 'hex');
  return { name, sentence, information, language, sha256 };
}

/** Returns the consents of a submitted form, to store them and to send them to the lender. */
export function consentsAt(consents: ApplicationConsents | AgreementConsents, at: Instant): Consent[] {
  return Object.values<ShownConsent | undefined>({ ...consents }).flatMap((consent) => (consent ? [{ ...consent, at }] : []));
}

/** Returns the hash of the consents of a page. Its form posts it, so that a buyer agrees only to what was shown. */
export function consentsHash(consents: ApplicationConsents | AgreementConsents): string {
  const hashes = Object.values<ShownConsent | undefined>({ ...consents }).map((consent) => consent?.sha256);
  return hash('sha256', JSON.stringify(hashes), 'hex');
}
