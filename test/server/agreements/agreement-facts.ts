import { NO_CONTACT } from '../../../server/base/contact.ts';
import { agreementConsents, consentsAt } from '../../../server/agreements/consents.ts';
import { disclosureHash } from '../../../server/agreements/agreement.ts';
import type { NewAgreement, PaymentAgreement } from '../../../server/lending/applications/signature.ts';
import type { StoredOffer } from '../../../server/db/schema.ts';
import type { SignedFacts } from '../../../server/agreements/document-template.ts';
import { texts } from '../../../server/base/texts.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import { testOperator } from '../../support/checkout.ts';
import { createProgram } from '../../support/programs.ts';

const lender = { name: 'First Fair Bank', licenses: {} };
const program = createProgram({ lender });

const defaultDisclosure = () => createDisclosure({ lender }, 124_800, { state: 'IL', merchantName: 'Acme Goods' });

const buyer = {
  ...NO_CONTACT,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  address: '12 Analytical Way',
  address2: 'Apt 3',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
};

/** Returns the content of the signed agreement for a purchase of $1,248.00. `change` overrides fields. */
export function createAgreementFacts(
  change: Partial<SignedFacts> = {},
  disclosure: LoanDisclosure = defaultDisclosure(),
): SignedFacts {
  return {
    agreement: {
      id: '0193-agreement',
      transactionId: '0193-transaction',
      offer: offerOf(disclosure),
      disclosure,
      disclosureHash: disclosureHash(disclosure),
      signedName: 'Ada K. Lovelace',
      signedAt: '2026-11-21T09:30:12.000000Z',
      client: null,
      codeSentBy: null,
      consents: consentsAt(agreementConsents(program, texts.en), '2026-11-21T09:30:12.000000Z'),
    },
    text: undefined,
    parties: { buyer, shipTo: { ...buyer, address: '7 Depot Street', address2: '' } },
    orderRef: 'ORDER-7',
    totalCents: 124_800,
    card: undefined,
    contacts: { operator: testOperator, lender },
    timeZone: 'America/New_York',
    isSandbox: false,
    ...change,
  };
}

function offerOf({ offerId, currency, apr, payments, ...disclosed }: LoanDisclosure): StoredOffer {
  const money = (value: number) => ({ currency, value });
  return {
    id: offerId,
    programID: '0193-program',
    termLength: payments.length,
    termInterval: 'Month',
    apr,
    monthly: money(payments[0]!.paymentCents),
    amountFinanced: money(disclosed.amountFinancedCents),
    totalOfPayments: money(disclosed.totalOfPaymentsCents),
    financeCharge: money(disclosed.financeChargeCents),
  };
}

/** Returns an agreement as it is stored after its document was rendered. */
export function storedAgreement(agreement: NewAgreement, documentHash = 'd'.repeat(64)): PaymentAgreement {
  return { ...agreement, documentHash, documentCode: 'c'.repeat(22), hasPdf: true };
}
