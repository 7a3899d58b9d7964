import { type Brand, supportContacts } from '../merchants/brand.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { Program } from '../../shared/programs/program.ts';
import { texts } from '../base/texts.ts';
import { type Operator, operatorLicenses } from '../base/config/operator.ts';

/** The companies behind a page, an e-mail or an agreement. */
export interface Contacts {
  /** "We" in the texts. */
  operator: Operator;
  /** Undefined where no lender is known. */
  lender?: Program['lender'] | undefined;
  /** For questions about the order. */
  merchant?: ({ name: string } & Brand) | undefined;
  /** The buyer's state, whose licenses are named; undefined if it is unknown. */
  state?: string | undefined;
}

/** The frame of an e-mail: the brand of the merchant, the contacts of all companies, and the reference of the application. */
export type EmailContacts = Contacts & {
  merchant: NonNullable<Contacts['merchant']>;
  /** Address of the service, without a trailing slash. */
  publicUrl: string;
  /** Short reference of the application that the e-mail is about. */
  reference?: string;
};

/** Returns the merchant if it has contacts, the operator, the lender and where to complain, each with a label and its names, addresses and numbers. */
export function contactRows(
  { operator, lender, merchant, state }: Contacts,
  language: Language,
): [label: string, parts: string[]][] {
  const labels = texts[language].emails.contacts;
  const { phone, email, url, address } = lender?.complaints ?? {};
  const support = merchant ? supportContacts(merchant) : [];
  const rows: [string, (string | undefined)[]][] = [
    [labels.merchant, support.length > 0 ? [merchant?.name, ...support] : []],
    [labels.operator, [operator.name, operator.address, operator.phone, operator.email, ...operatorLicenses(operator, state)]],
    [labels.lender, [lender?.name, lender?.address, lender?.phone]],
    [labels.complaints, [phone, email, url, address]],
  ];
  return rows
    .map(([label, parts]): [string, string[]] => [label, parts.filter((part) => part !== undefined)])
    .filter(([, parts]) => parts.length > 0);
}

/** Returns the rows as text, for e-mails and agreements. */
export function contactTexts(contacts: Contacts, language: Language): [label: string, text: string][] {
  return contactRows(contacts, language).map(([label, parts]) => [label, parts.join(', ')]);
}
