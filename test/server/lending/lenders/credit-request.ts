import { type Attempt, createSignedClient } from '../../../../server/lending/lenders/signed-client.ts';
import type { CreditRequest, SignedLoan } from '../../../../server/lending/lenders/lender.ts';
import { remoteLender } from '../../../../server/lending/lenders/remote-lender.ts';
import type { LenderConfig } from '../../../../server/base/config/lender.ts';
import type { Mode } from '../../../../server/base/mode.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { program } from '../../../support/checkout.ts';

/** A request for credit of $750.00. */
export const creditRequest: CreditRequest = {
  requestId: '0190f1a0-0000-7000-8000-000000000001',
  applicationId: '0190f1a0-0000-7000-8000-00000000000a',
  program,
  amountCents: 75_000,
  contact: {
    firstName: 'Ada',
    lastName: 'Łovelace',
    email: 'ada@example.com',
    phone: '5550100100',
    address: '12 Analytical Way',
    address2: '',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
  },
  applicant: { dateOfBirth: '1990-12-10', taxIdLast4: '8734', annualIncomeCents: 8_400_000 },
  language: 'en',
  merchant: { id: '0190f1a0-0000-7000-8000-00000000000b', name: 'Acme Goods', category: 'furniture' },
  order: {
    reference: 'ORDER-1',
    totalCents: 75_000,
    shippingCents: 0,
    taxCents: null,
    lines: [{ sku: 'CHAIR-1', name: 'Chair', quantity: 1, priceCents: 75_000 }],
    shippingAddress: null,
  },
  client: { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' },
  earlierApplications: ['2026-11-21T08:00:00.000000Z'],
  consents: [
    {
      name: 'credit-report',
      sentence: 'I authorize Fairterm Lending to obtain my credit report.',
      information: [],
      language: 'en',
      sha256: 'c'.repeat(64),
      at: '2026-11-21T09:29:00.000000Z',
    },
  ],
  partialApproval: true,
  hasPlan: () => true,
};

/** The loan that the buyer signs. Lenders do not read the disclosure, so it has only a few fields. */
export const signedLoan: SignedLoan = {
  agreementId: '0190f1a0-0000-7000-8000-000000000002',
  requestId: creditRequest.requestId,
  applicationId: creditRequest.applicationId,
  disclosure: { programId: 'standard', currency: 'USD' } as SignedLoan['disclosure'],
  disclosureHash: 'a'.repeat(64),
  signedName: 'Ada Łovelace',
  signedAt: '2026-11-21T09:30:00.000000Z',
  client: { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' },
  codeSentBy: null,
  consents: [],
  document: { language: 'en', html: '<!doctype html>', sha256: 'd'.repeat(64) },
  contact: creditRequest.contact,
  merchant: creditRequest.merchant,
  order: creditRequest.order,
  transactionId: '0190f1a0-0000-7000-8000-00000000000c',
};

/** Creates a client of an endpoint, and records its failed attempts. */
export function createClient({ endpoint }: { endpoint: LenderConfig }) {
  const failedAttempts: Pick<Attempt, 'path' | 'id' | 'attempt' | 'failure'>[] = [];
  const client = createSignedClient(endpoint, systemClock, ({ path, id, attempt, failure }) => {
    if (failure !== '') failedAttempts.push({ path, id, attempt, failure });
  });
  onCleanup(client.close);
  return { ...client, failedAttempts, failures: () => failedAttempts.map(({ failure }) => failure) };
}

/** Creates the remote lender for an endpoint. */
export function createRemoteLender(options: { endpoint: LenderConfig }, mode: Mode = 'sandbox') {
  const client = createClient(options);
  return { ...client, lender: remoteLender(client, mode) };
}
