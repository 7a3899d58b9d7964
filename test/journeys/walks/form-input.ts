/** Form input of a walk. */
import { testBuyers } from '../../../server/lending/lenders/sandbox-lender.ts';
import { typed } from '../../support/checkout.ts';
import type { FormField, PageForm } from '../../support/page.ts';
import type { Filling } from './actions.ts';

/** Sent only to the lender. The service must neither store this data nor show it to anyone else. */
const SECRETS = { dateOfBirth: '02/29/1984', taxIdLast4: '7391', annualIncome: '$7,391,526' };

/** Patterns for the secrets in every format. Adjacent digits, as in hashes and ids, do not match. */
export const secretsOfBuyers: readonly RegExp[] = [
  /02\/29\/1984/,
  /1984-02-29/,
  /(?<![\da-f-])7391(?![\da-f-])/,
  /(?<![\da-f])7,?391,?526/,
];

/** The same for JSON, where amounts can contain any digits. */
export const secretsInJson: readonly RegExp[] = secretsOfBuyers.map((secret) =>
  secret.source.includes('7391(') ? /"7391"/ : secret,
);

/** Personal data that only the parties to the purchase may see. It must not be logged. */
export const personalData: readonly RegExp[] = [
  /Lovelace/,
  /ada@example/,
  /(?<![\da-f])5550100100(?![\da-f])|\(555\) 010-0100/,
  /Analytical/,
  ...secretsOfBuyers,
];

/** IL is a state without special rules. The shops' programs include some states with special rules; one does not sell in IA. */
const STATES = ['IL', 'IA', 'IA', 'CA', 'AL', 'IA'];

/** Returns the form fields to submit, as a browser submits them. */
export function fillIn(form: PageForm, filling: Filling, button: number): [name: string, value: string][] {
  const entries = filling.how === 'unchanged' ? unchanged(form) : filling.how === 'empty' ? emptied(form) : valid(form, filling);
  const pressed = form.buttons[button % Math.max(form.buttons.length, 1)];
  if (pressed?.name) entries.push([pressed.name, pressed.value]);
  if (filling.how !== 'invalid' || entries.length === 0) return entries;
  const at = filling.field % entries.length;
  return entries.map(([name, value], index) => [name, index === at ? filling.invalidValue : value]);
}

const unchanged = ({ fields }: PageForm): [string, string][] =>
  fields.filter(({ isSubmitted }) => isSubmitted).map(({ name, value }) => [name, value]);

const emptied = ({ fields }: PageForm): [string, string][] =>
  fields
    .filter(({ type, isSubmitted }) => isSubmitted && type !== 'radio' && type !== 'checkbox')
    .map(({ name, type, value }) => [name, type === 'hidden' ? value : '']);

function valid({ fields }: PageForm, { buyer, choice }: Filling): [string, string][] {
  const byName = new Map<string, FormField[]>();
  for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  return [...byName].flatMap(([name, choices]): [string, string][] => {
    const [{ type, value }] = choices as [FormField];
    if (type === 'hidden') return choices.map((hidden) => [name, hidden.value]);
    if (type === 'checkbox') return name in typed || choice % 3 === 0 ? [[name, value]] : [];
    if (type === 'radio') return [[name, choices[choice % choices.length]!.value]];
    return [[name, textFor(name, buyer, choice)]];
  });
}

function textFor(name: string, buyer: number, choice: number): string {
  if (name === 'taxIdLast4') return testBuyers[buyer % (2 * testBuyers.length)]?.taxIdLast4 ?? SECRETS.taxIdLast4;
  if (name in SECRETS) return SECRETS[name as keyof typeof SECRETS];
  if (name === 'state') return STATES[choice % STATES.length]!;
  if (name in typed) return typed[name as keyof typeof typed];
  return otherAddress[name] ?? 'x';
}

const otherAddress: Record<string, string> = {
  shippingFirstName: 'Howard',
  shippingLastName: 'Aiken',
  shippingAddress: '33 Oxford Street',
  shippingAddress2: '',
  shippingCity: 'Cambridge',
  shippingState: 'MA',
  shippingZip: '02138',
};
