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
});
