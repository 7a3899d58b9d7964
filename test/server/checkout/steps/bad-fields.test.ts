/** Submits invalid values for every field of every form. The form is shown again with errors, and nothing is stored. */
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { elsewhere, createCart, open, post, reachAgreement, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { casesOf } from '../../../support/campaign.ts';
import { Page, type PageForm } from '../../../support/page.ts';
import { createProgram } from '../../../support/programs.ts';
import { type ApiResponse, startService } from '../../../support/service.ts';
import { storedApplications } from '../../../support/stored.ts';

/**
 * Kind of a field. `person`: a plain name. `place`: contains a letter. `line`: not empty. `optional`: may be empty. `formatted`: has a
 * format, such as a phone number, that none of the texts has. `state`: may be empty, because the ZIP code has the state.
 */
type FieldKind = 'person' | 'place' | 'line' | 'optional' | 'formatted' | 'state';

/** Title, input, value in the form when it is shown again, and the kinds of fields that accept the input. */
const texts: [title: string, input: string, shown: string, acceptedBy: FieldKind[]][] = [
  ['empty', '', '', ['optional', 'state']],
  ['blanks', ' \u00a0\t\u3000\r\n', '', ['optional', 'state']],
  ['10 kB', 'x'.repeat(10_240), 'x'.repeat(500), []],
  ['markup', '"><script>alert(1)</script><p class=\'', '"><script>alert(1)</script><p class=\'', ['place', 'line', 'optional']],
  ['an entity', '&lt;b&gt; &amp; &#x202e;', '&lt;b&gt; &amp; &#x202e;', ['place', 'line', 'optional']],
  ['a template', '${7*7}{{7*7}}<?>', '${7*7}{{7*7}}<?>', ['line', 'optional']],
  ['SQL', "'; drop table carts; --", "'; drop table carts; --", ['place', 'line', 'optional']],
  ['a line break and a header', 'Ada\r\nSet-Cookie: a=b', 'Ada Set-Cookie: a=b', ['place', 'line', 'optional']],
  ['right-to-left letters', 'יוסי كهن', 'יוסי كهن', ['person', 'place', 'line', 'optional']],
  ['bidirectional control characters', '\u202eadA\u202c \u2067x\u2069', 'adA x', ['person', 'place', 'line', 'optional']],
  ['a link', 'You won! Claim at https://evil.example', 'You won! Claim at https://evil.example', ['place', 'line', 'optional']],
  ['a domain', 'Ada evil.com', 'Ada evil.com', ['place', 'line', 'optional']],
  [
    'accents, initials and punctuation',
    "J.R. Žofie-Ann d'Arcy Jr.",
    "J.R. Žofie-Ann d'Arcy Jr.",
    ['person', 'place', 'line', 'optional'],
  ],
  ['emoji', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦', ['line', 'optional']],
  ['emoji and letters', 'Ada 🎉', 'Ada 🎉', ['place', 'line', 'optional']],
  ['a NUL', 'Ada\u0000', 'Ada', []],
  ['a control character', 'Ada\u001b[2J', 'Ada[2J', []],
  ['a card number', '4242 4242 4242 4242', '', []],
  ['a property of every object', '__proto__', '__proto__', ['place', 'line', 'optional']],
  ['a property of every class', 'constructor', 'constructor', ['person', 'place', 'line', 'optional']],
];

const fieldKinds: Record<string, FieldKind> = {
  email: 'formatted',
  phone: 'formatted',
  firstName: 'person',
  lastName: 'person',
  address: 'line',
  address2: 'optional',
  city: 'place',
  zip: 'formatted',
  state: 'state',
  shippingFirstName: 'person',
  shippingLastName: 'person',
  shippingAddress: 'line',
  shippingAddress2: 'optional',
  shippingCity: 'place',
  shippingZip: 'formatted',
  shippingState: 'state',
  dateOfBirth: 'formatted',
  taxIdLast4: 'formatted',
  annualIncome: 'formatted',
  signedName: 'person',
};

const steps: Record<string, (url: string) => Promise<Page>> = {
  details: (url) => open(url),
  apply: async (url) => submit(await open(url)),
  agreement: (url) => reachAgreement(url),
};

const service = await startService();
service.clock.moveTo('2027-03-10T12:00:00.000000Z');
const merchant = await service.createMerchant();
const states = { excluded: ['IA'], overrides: { TX: { minAge: 21 } } };
const program = createProgram({ id: 'own', states });
await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());

describe('A form', () => {
  const applicationOf = (cartId: string) => storedApplications(service.database, cartId);
  const startStep = async (step: string) => {
    const cart = await createCart(merchant, { requireShippingContact: true });
    return { cart, page: await steps[step]!(cart.url) };
  };
  const formOf = (response: ApiResponse, url: string): PageForm => {
    const page = new Page(url, response);
    expect(page.faults).toEqual([]);
    expect(page.headings).toHaveLength(1);
    return page.forms.find(({ fields }) => fields.some(({ name }) => name in fieldKinds))!;
  };
  /** Returns the value of a text field, or the selected option. */
  const valueOf = ({ fields }: PageForm, name: string) => fields.find((field) => field.name === name && field.isSubmitted)?.value;

  const fields = Object.keys(fieldKinds).map((name): [step: string, name: string] => [
    name === 'signedName' ? 'agreement' : ['dateOfBirth', 'taxIdLast4', 'annualIncome'].includes(name) ? 'apply' : 'details',
    name,
  ]);

  /** Returns the texts for a field. `npm test` submits a third of them for each field, and each of them for some fields. */
  const textsFor = (name: string) => {
    const at = Object.keys(fieldKinds).indexOf(name);
    return casesOf(texts, (text) => (texts.indexOf(text) + at) % 3 === 0);
  };

  it.each(Object.keys(steps))('has only fields with a kind: %s', async (step) => {
    const { page } = await startStep(step);
    const { fields: formFields } = formOf(page, page.url);
    const names = new Set(
      formFields.filter(({ type }) => /^(text|email|tel|select|textarea|number|date)$/.test(type)).map(({ name }) => name),
    );
    expect([...names]).toEqual(fields.filter(([ofStep]) => ofStep === step).map(([, name]) => name));
  });

  it.each(fields)('of the step %s rejects invalid text for %s and shows it again as text', async (step, name) => {
    const { cart, page } = await startStep(step);
    const before = await applicationOf(cart.id);
    const { action } = formOf(page, page.url);
    for (const [title, input, shown, acceptedBy] of textsFor(name)) {
      if (acceptedBy.includes(fieldKinds[name]!)) continue;
      const response = await post(action, { ...typed, ...elsewhere, ...page.fields, [name]: input });
      const form = formOf(response, action);
      // The digits of the SSN must be entered again, and an unknown state is not a valid option.
      const expected = name === 'taxIdLast4' || /state$/i.test(name) ? '' : shown;
      expect([title, response.status, valueOf(form, name)]).toEqual([title, 422, expected]);
      expect(response.text).toContain(`id="${name}-error"`);
    }
    expect(await applicationOf(cart.id)).toEqual(before);
    expect(service.logged.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  it.each(fields.filter(([step, name]) => step === 'details' && !['formatted', 'state'].includes(fieldKinds[name]!)))(
    'of the step %s accepts valid text for %s and removes invisible characters',
    async (step, name) => {
      const { page } = await startStep(step);
      const { action } = formOf(page, page.url);
      for (const [title, input, shown, acceptedBy] of textsFor(name)) {
        if (!acceptedBy.includes(fieldKinds[name]!)) continue;
        const response = await post(action, { ...typed, ...elsewhere, ...page.fields, [name]: input });
        expect([title, response.status]).toEqual([title, 303]);
        const next = await open(new URL(response.headers.get('location')!, action).href);
        const again = await open(`${sessionUrl(next)}/details`);
        expect([title, valueOf(formOf(again, again.url), name)]).toEqual([title, shown]);
      }
    },
  );

  it.each(texts.filter(([, , , acceptedBy]) => acceptedBy.includes('person')))(
    'of the agreement accepts %s as a signature and stores it as text',
    async (_title, input, shown) => {
      const { cart, page } = await startStep('agreement');
      const { action } = formOf(page, page.url);
      expect(await post(action, { ...typed, ...page.fields, signedName: `${input} Ada Lovelace` })).toMatchObject({
        status: 303,
      });
      const [application] = await applicationOf(cart.id);
      expect(application!.paymentAgreements).toMatchObject([{ signedName: `${shown} Ada Lovelace` }]);
      expect((await open(cart.url)).faults).toEqual([]);
    },
  );

  const applyWith = async (input: Record<string, string>, state = 'IL') => {
    const cart = await createCart(merchant);
    const page = await submit(await open(cart.url), { state });
    return submit(page, input);
  };

  describe('of the application accepts', () => {
    it.each<[string, Record<string, string>, string?]>([
      ['a buyer who turns 18 today', { dateOfBirth: '03/10/2009' }],
      ['a buyer who turns 19 today in a state with the minimum age 19', { dateOfBirth: '3/10/2008' }, 'AL'],
      ['a buyer born on a leap day', { dateOfBirth: '02/29/2008' }],
      ['a buyer of 119 years', { dateOfBirth: '03/11/1907' }],
      ['no income', { annualIncome: '0' }],
      ['the largest income', { annualIncome: '$999,999,999' }],
    ])('%s', async (_title, input, state) => {
      expect(await applyWith(input, state)).toMatchObject({ status: 200, step: 'plans' });
    });
  });

  describe('of the application rejects', () => {
    it.each<[string, Record<string, string>, string?]>([
      ['a buyer who turns 18 tomorrow', { dateOfBirth: '03/11/2009' }],
      ['a buyer who turns 19 tomorrow in Alabama', { dateOfBirth: '03/11/2008' }, 'AL'],
      ['a buyer who turns 19 tomorrow in Nebraska', { dateOfBirth: '03/11/2008' }, 'NE'],
      ['a buyer who turns 21 tomorrow in a state with the minimum age 21', { dateOfBirth: '03/11/2006' }, 'TX'],
      ['a buyer of 120 years', { dateOfBirth: '03/10/1907' }],
      ['February 30', { dateOfBirth: '02/30/1990' }],
      ['February 29 of a year that is not a leap year', { dateOfBirth: '02/29/1990' }],
      ['a thirteenth month', { dateOfBirth: '13/01/1990' }],
      ['zeros', { dateOfBirth: '00/00/0000' }],
      ['a two-digit year', { dateOfBirth: '04/23/90' }],
      ['the year 1', { dateOfBirth: '01/01/0001' }],
      ['a date in the future', { dateOfBirth: '01/01/2090' }],
      ['a five-digit year', { dateOfBirth: '01/01/19900' }],
      ['a timestamp', { dateOfBirth: '1990-04-23T00:00:00Z' }],
      ['a negative income', { annualIncome: '-84000' }],
      ['an income with cents', { annualIncome: '84000.50' }],
      ['an income of ten digits', { annualIncome: '1000000000' }],
      ['an income in scientific notation', { annualIncome: '1e6' }],
      ['an income in hexadecimal', { annualIncome: '0x10' }],
      ['an income without digits', { annualIncome: '$,' }],
      ['an income in words', { annualIncome: 'enough' }],
      ['an income in digits of another script', { annualIncome: '٨٤٠٠٠' }],
      ['digits of another script', { taxIdLast4: '١٠٠١' }],
      ['full-width digits', { taxIdLast4: '１００１' }],
      ['a whole SSN', { taxIdLast4: '123-45-1001' }],
      ['another value of the consent', { consent: 'on' }],
    ])('%s', async (_title, input, state) => {
      const page = await applyWith(input, state);
      expect(page).toMatchObject({ status: 422, step: 'apply' });
      expect(page.text).toContain(`id="${Object.keys(input)[0]}-error"`);
    });
  });

  it.each([
    ['rejects a buyer who turns 18 tomorrow in some time zones', '2027-03-11T09:59:00.000000Z', 422],
    ['accepts a buyer who turns 18 today in every time zone', '2027-03-11T10:00:00.000000Z', 200],
  ] as const)('of the application %s', async (_title, now, status) => {
    const before = service.clock.now();
    service.clock.moveTo(now);
    try {
      expect(await applyWith({ dateOfBirth: '03/11/2009' })).toMatchObject({ status });
    } finally {
      service.clock.moveTo(before);
    }
  });

  it('of the details explains that the buyer’s state is excluded, and can be corrected', async () => {
    const cart = await createCart(merchant);
    const excluded = await submit(await open(cart.url), { state: 'IA' });
    expect(excluded).toMatchObject({ status: 200, step: 'excluded' });
    expect(excluded.text).toContain('Iowa');
    const { links } = excluded;
    const details = await open(links.find((link) => /\/details/.test(link))!);
    expect(await submit(details, { state: 'IL' })).toMatchObject({ step: 'apply' });
  });

  it('of the details asks once about a state that contradicts the ZIP code, and stores the answer', async () => {
    const cart = await createCart(merchant);
    const contradiction = { state: 'OH', zip: '62701' };
    const asked = await submit(await open(cart.url), contradiction);
    expect(asked).toMatchObject({ status: 422, text: expect.stringContaining('id="state-error"') });
    expect(asked.text).toContain('ZIP code 62701 is usually in Illinois, but the state is Ohio');
    const applying = await submit(asked, contradiction);
    expect(applying).toMatchObject({ status: 200, step: 'apply' });
    expect((await applicationOf(cart.id))[0]!.billingContact).toMatchObject(contradiction);
    const again = await open(`${sessionUrl(applying)}/details`);
    expect(await submit(again, contradiction), 'not asked again').toMatchObject({ status: 200, step: 'apply' });
  });

  it('of the details shows what a cart says but is not certain, and folds the rest', async () => {
    const known = {
      address: '1 Main Street',
      city: 'Albany',
      state: 'NY',
      zip: '12207',
      email: 'ada@example.com',
      phone: '5185550100',
    };
    const foldedOf = async (contact: object) => {
      const { url } = await createCart(merchant, { billingContact: { ...known, fullName: 'Ada Lovelace', ...contact } });
      return (await open(url)).elements('details', { class: 'known' }).length;
    };
    expect(await foldedOf({})).toBe(2);
    expect(await foldedOf({ fullName: 'Gabriel García Márquez' })).toBe(1);
    expect(await foldedOf({ zip: '06101' })).toBe(1);
    expect(await foldedOf({ phone: '0185550100' })).toBe(1);
    expect(await foldedOf({ phone: '1185550100', address: 'PO Drawer 7' })).toBe(0);
  });

  it.each([
    '(555) 010-0100',
    '+1 555 010 0100',
    '1-555-010-0100',
    '\u202a555.010.0100\u202c',
    '(+1) 555\u2013010\u2011\u00a00100',
  ])('of the details accepts the phone number %j', async (phone) => {
    const cart = await createCart(merchant);
    await submit(await open(cart.url), { phone });
    expect((await applicationOf(cart.id))[0]!.billingContact).toMatchObject({ phone: '5550100100' });
  });

  it.each([
    '555',
    '555-CALL-NOW',
    '+49 30 1234567',
    '+49 30 123456',
    '+5550100100',
    '055-010-0100',
    '155-010-0100',
    '1'.repeat(15),
    '٥٥٥٠١٠٠١٠٠',
  ])('of the details rejects the phone number %j', async (phone) => {
    const { url } = await createCart(merchant);
    expect(await submit(await open(url), { phone })).toMatchObject({
      status: 422,
      text: expect.stringContaining('id="phone-error"'),
    });
  });
});
