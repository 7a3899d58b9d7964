/** Submits invalid values for every field of every form. The form is shown again with errors, and nothing is stored. */
import { beforeAll, describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/merchants/import-program.ts';
import {
  createCart,
  fieldsOf,
  open,
  type Page,
  post,
  reachAgreement,
  sessionUrl,
  submit,
  typed,
} from '../../../support/checkout.ts';
import { type PageForm, parsePage } from '../../../support/html.ts';
import { givenProgram } from '../../../support/programs.ts';
import { type ApiResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

/**
 * Validation of a field. `person`: the name of a person. `place`: contains a letter. `line`: not empty. `optional`: may be empty.
 * `pattern`: a format, such as that of a phone number, which no text below has.
 */
type Kind = 'person' | 'place' | 'line' | 'optional' | 'pattern';

/** The typed text, the text that the field shows afterwards, and the kinds of fields that accept it. */
const texts: [what: string, sent: string, shown: string, acceptedBy: Kind[]][] = [
  ['nothing', '', '', ['optional']],
  ['blanks', ' \u00a0\t\u3000\r\n', '', ['optional']],
  ['10 kB', 'x'.repeat(10_240), 'x'.repeat(500), []],
  ['markup', '"><script>alert(1)</script><p class=\'', '"><script>alert(1)</script><p class=\'', ['place', 'line', 'optional']],
  ['an entity', '&lt;b&gt; &amp; &#x202e;', '&lt;b&gt; &amp; &#x202e;', ['place', 'line', 'optional']],
  ['a template', '${7*7}{{7*7}}<?>', '${7*7}{{7*7}}<?>', ['line', 'optional']],
  ['SQL', "'; drop table carts; --", "'; drop table carts; --", ['place', 'line', 'optional']],
  ['another line and header', 'Ada\r\nSet-Cookie: a=b', 'Ada Set-Cookie: a=b', ['place', 'line', 'optional']],
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
  ['the name __proto__', '__proto__', '__proto__', ['place', 'line', 'optional']],
  ['the name constructor', 'constructor', 'constructor', ['person', 'place', 'line', 'optional']],
];

const kinds: Record<string, Kind> = {
  firstName: 'person',
  lastName: 'person',
  email: 'pattern',
  phone: 'pattern',
  address: 'line',
  address2: 'optional',
  city: 'place',
  state: 'pattern',
  zip: 'pattern',
  shippingFirstName: 'person',
  shippingLastName: 'person',
  shippingAddress: 'line',
  shippingAddress2: 'optional',
  shippingCity: 'place',
  shippingState: 'pattern',
  shippingZip: 'pattern',
  dateOfBirth: 'pattern',
  taxIdLast4: 'pattern',
  annualIncome: 'pattern',
  signedName: 'person',
};

const elsewhere = {
  shipElsewhere: 'yes',
  shippingFirstName: 'Howard',
  shippingLastName: 'Aiken',
  shippingAddress: '33 Oxford Street',
  shippingAddress2: '',
  shippingCity: 'Cambridge',
  shippingState: 'MA',
  shippingZip: '02138',
};

const steps: Record<string, (url: string) => Promise<Page>> = {
  details: (url) => open(url),
  apply: async (url) => submit(await open(url)),
  agreement: (url) => reachAgreement(url),
};

describe('A form', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    service.clock.moveTo('2027-03-10T12:00:00.000000Z');
    merchant = await service.createMerchant();
    const states = { excluded: ['IA'], overrides: { AL: { minAge: 19 } } };
    const program = givenProgram({ id: 'own', states });
    await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
  });

  const applicationOf = (cartId: string) =>
    service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).execute();
  const given = async (step: string) => {
    const cart = await createCart(merchant, { requireShippingContact: true });
    return { cart, page: await steps[step]!(cart.url) };
  };
  const formOf = ({ text }: Pick<ApiResponse, 'text'>, url: string): PageForm => {
    const page = parsePage(text, url);
    expect(page.faults).toEqual([]);
    expect(page.headings).toHaveLength(1);
    return page.forms.find(({ fields }) => fields.some(({ name }) => name in kinds))!;
  };
  /** Returns the value of a text field, or the selected option. */
  const shownIn = ({ fields }: PageForm, name: string) => fields.find((field) => field.name === name && field.isSubmitted)?.value;

  const fields = Object.keys(kinds).map((name): [step: string, name: string] => [
    name === 'signedName' ? 'agreement' : ['dateOfBirth', 'taxIdLast4', 'annualIncome'].includes(name) ? 'apply' : 'details',
    name,
  ]);

  it.each(Object.keys(steps))('has only fields that are tested below: %s', async (step) => {
    const { page } = await given(step);
    const { fields: all } = formOf(page, page.url);
    const names = new Set(
      all.filter(({ type }) => /^(text|email|tel|select|textarea|number|date)$/.test(type)).map(({ name }) => name),
    );
    expect([...names]).toEqual(fields.filter(([of]) => of === step).map(([, name]) => name));
  });

  it.each(fields)('%s rejects for %s invalid text, and shows it again as text', async (step, name) => {
    const { cart, page } = await given(step);
    const before = await applicationOf(cart.id);
    const { action } = formOf(page, page.url);
    for (const [what, sent, shown, acceptedBy] of texts) {
      if (acceptedBy.includes(kinds[name]!)) continue;
      const response = await post(action, { ...typed, ...elsewhere, ...fieldsOf(page), [name]: sent });
      const form = formOf(response, action);
      // The digits of the tax number must be typed again, and an unknown state is not a valid option.
      const expected = name === 'taxIdLast4' || /state$/i.test(name) ? '' : shown;
      expect([what, response.status, shownIn(form, name)]).toEqual([what, 422, expected]);
      expect(response.text).toContain(`id="${name}-error"`);
    }
    expect(await applicationOf(cart.id)).toEqual(before);
    expect(service.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
  });

  it.each(fields.filter(([step, name]) => step === 'details' && kinds[name] !== 'pattern'))(
    '%s accepts real names for %s without invisible characters',
    async (step, name) => {
      const { page } = await given(step);
      const { action } = formOf(page, page.url);
      for (const [what, sent, shown, acceptedBy] of texts) {
        if (!acceptedBy.includes(kinds[name]!)) continue;
        const response = await post(action, { ...typed, ...elsewhere, ...fieldsOf(page), [name]: sent });
        expect([what, response.status]).toEqual([what, 303]);
        const again = await open(`${sessionUrl({ url: new URL(response.headers.get('location')!, action).href })}/details`);
        expect([what, shownIn(formOf(again, again.url), name)]).toEqual([what, shown]);
      }
    },
  );

  it.each(texts.filter(([, , , acceptedBy]) => acceptedBy.includes('person')))(
    'accepts %s as a signature, and shows it as text',
    async (_what, sent, shown) => {
      const { cart, page } = await given('agreement');
      const { action } = formOf(page, page.url);
      expect(await post(action, { ...typed, ...fieldsOf(page), signedName: sent })).toMatchObject({ status: 303 });
      const [application] = await applicationOf(cart.id);
      expect(JSON.parse(application!.payment_agreements_json)).toMatchObject([{ signedName: shown }]);
      const { text, url } = await open(cart.url);
      expect(parsePage(text, url).faults).toEqual([]);
    },
  );

  const applyWith = async (over: Record<string, string>, state = 'IL') => {
    const cart = await createCart(merchant);
    const page = await submit(await open(cart.url), { state });
    return submit(page, over);
  };

  describe('of the application accepts', () => {
    it.each<[string, Record<string, string>, string?]>([
      ['a buyer who turns 18 today', { dateOfBirth: '03/10/2009' }],
      ['a buyer who turns 19 today in a state with that minimum age', { dateOfBirth: '3/10/2008' }, 'AL'],
      ['a buyer born on a leap day', { dateOfBirth: '02/29/2008' }],
      ['a buyer of 119', { dateOfBirth: '03/11/1907' }],
      ['an income of 0', { annualIncome: '0' }],
      ['the largest income', { annualIncome: '$999,999,999' }],
    ])('%s', async (_what, over, state) => {
      expect(await applyWith(over, state)).toMatchObject({ status: 200, heading: 'Choose your plan' });
    });
  });

  describe('of the application rejects', () => {
    it.each<[string, Record<string, string>, string?]>([
      ['a buyer who turns 18 tomorrow', { dateOfBirth: '03/11/2009' }],
      ['a buyer who turns 19 tomorrow in a state with that minimum age', { dateOfBirth: '03/11/2008' }, 'AL'],
      ['a buyer of 120', { dateOfBirth: '03/10/1907' }],
      ['February 30', { dateOfBirth: '02/30/1990' }],
      ['February 29 of a year that is not a leap year', { dateOfBirth: '02/29/1990' }],
      ['month 13', { dateOfBirth: '13/01/1990' }],
      ['a date of zeros', { dateOfBirth: '00/00/0000' }],
      ['a year of two digits', { dateOfBirth: '04/23/90' }],
      ['the year 1', { dateOfBirth: '01/01/0001' }],
      ['a date in the future', { dateOfBirth: '01/01/2090' }],
      ['a year of five digits', { dateOfBirth: '01/01/19900' }],
      ['a timestamp', { dateOfBirth: '1990-04-23T00:00:00Z' }],
      ['a negative income', { annualIncome: '-84000' }],
      ['an income with cents', { annualIncome: '84000.50' }],
      ['an income of ten digits', { annualIncome: '1000000000' }],
      ['an income in scientific notation', { annualIncome: '1e6' }],
      ['an income in hexadecimal', { annualIncome: '0x10' }],
      ['an income without digits', { annualIncome: '$,' }],
      ['an income in words', { annualIncome: 'enough' }],
      ['an income in Arabic digits', { annualIncome: '٨٤٠٠٠' }],
      ['Arabic digits of the tax number', { taxIdLast4: '١٠٠١' }],
      ['full-width digits of the tax number', { taxIdLast4: '１００１' }],
      ['a complete tax number', { taxIdLast4: '123-45-1001' }],
      ['an unexpected value for the consent', { consent: 'on' }],
    ])('%s', async (_what, over, state) => {
      const page = await applyWith(over, state);
      expect(page).toMatchObject({ status: 422, heading: 'Apply for financing' });
      expect(page.text).toContain(`id="${Object.keys(over)[0]}-error"`);
    });
  });

  it.each([
    ['rejects a buyer whose 18th birthday has not begun in all states', '2027-03-11T09:59:00.000000Z', 422],
    ['accepts a buyer whose 18th birthday has begun in all states', '2027-03-11T10:00:00.000000Z', 200],
  ])('of the application %s', async (_what, now, status) => {
    const before = service.clock.now();
    service.clock.moveTo(now);
    try {
      expect(await applyWith({ dateOfBirth: '03/11/2009' })).toMatchObject({ status });
    } finally {
      service.clock.moveTo(before);
    }
  });

  it('of the details leads buyers from states without offers to an explanation, and back', async () => {
    const cart = await createCart(merchant);
    const excluded = await submit(await open(cart.url), { state: 'IA' });
    expect(excluded).toMatchObject({ status: 200, heading: 'Financing is not available for this order' });
    expect(excluded.text).toContain('Iowa');
    const { links } = parsePage(excluded.text, excluded.url);
    const back = await open(links.find((link) => /\/details/.test(link))!);
    expect(await submit(back, { state: 'IL' })).toMatchObject({ heading: 'Apply for financing' });
  });

  it.each(['(555) 010-0100', '+1 555 010 0100', '1-555-010-0100', '\u202a555.010.0100\u202c'])(
    'of the details accepts the phone number %j',
    async (phone) => {
      const cart = await createCart(merchant);
      await submit(await open(cart.url), { phone });
      expect(JSON.parse((await applicationOf(cart.id))[0]!.billing_contact_json)).toMatchObject({ phone: '5550100100' });
    },
  );

  it.each(['555', '555-CALL-NOW', '+49 30 1234567', '1'.repeat(15), '٥٥٥٠١٠٠١٠٠'])(
    'of the details rejects the phone number %j',
    async (phone) => {
      const { url } = await createCart(merchant);
      expect(await submit(await open(url), { phone })).toMatchObject({
        status: 422,
        text: expect.stringContaining('id="phone-error"'),
      });
    },
  );
});
