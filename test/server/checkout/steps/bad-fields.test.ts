/** Submits an invalid value for every field of every form. The form is shown again with an error, and nothing is stored. */
import { describe, expect, it } from 'vitest';
import {
  createCart,
  elsewhere,
  open,
  type Page,
  post,
  reachAgreement,
  sessionUrl,
  submit,
  typed,
} from '../../../support/checkout.ts';
import { Page as ParsedPage, type PageForm } from '../../../support/page.ts';
import { startService } from '../../../support/service.ts';
import { storedApplications } from '../../../support/stored.ts';

/** A text that no field accepts, because of the control character, and what the form shows of it. */
const INVALID = '"><script>alert(1)</script>\u0000';
const SHOWN = '"><script>alert(1)</script>';

/** The fields of each form, in its order. */
const fields: Record<string, string[]> = {
  details: 'email phone firstName lastName address address2 city zip state'
    .split(' ')
    .concat(['FirstName', 'LastName', 'Address', 'Address2', 'City', 'Zip', 'State'].map((name) => `shipping${name}`)),
  apply: ['dateOfBirth', 'taxIdLast4', 'annualIncome'],
  agreement: ['signedName'],
};

const reach: Record<string, (url: string) => Promise<Page>> = {
  details: (url) => open(url),
  apply: async (url) => submit(await open(url)),
  agreement: (url) => reachAgreement(url),
};

const service = await startService();
const merchant = await service.createMerchant();

describe('A form', () => {
  const formOf = (page: ParsedPage): PageForm => {
    expect(page.faults).toEqual([]);
    return page.forms.find((form) => form.fields.some(({ name }) => Object.values(fields).flat().includes(name)))!;
  };
  /** Returns the value of a text field, or the selected option. */
  const valueOf = (form: PageForm, name: string) => form.fields.find((field) => field.name === name && field.isSubmitted)?.value;

  it.each(Object.keys(fields))(
    'of the step %s rejects an invalid text in each of its fields and shows it again as text',
    async (step) => {
      const cart = await createCart(merchant, { requireShippingContact: true });
      const page = await reach[step]!(cart.url);
      const before = await storedApplications(service.database, cart.id);
      const form = formOf(page);
      const typedInto = form.fields.filter(({ type }) => /^(text|email|tel|select|textarea|number|date)$/.test(type));
      expect([...new Set(typedInto.map(({ name }) => name))]).toEqual(fields[step]);
      for (const name of fields[step]!) {
        const response = await post(form.action, { ...typed, ...elsewhere, ...page.fields, [name]: INVALID });
        const again = formOf(new ParsedPage(form.action, response));
        // The digits of the SSN must be entered again, and an unknown state is not a valid option.
        const shown = name === 'taxIdLast4' || /state$/i.test(name) ? '' : SHOWN;
        expect([name, response.status, valueOf(again, name)]).toEqual([name, 422, shown]);
        expect(response.text).toContain(`id="${name}-error"`);
      }
      expect(await storedApplications(service.database, cart.id)).toEqual(before);
      expect(service.logged.filter((line) => line.includes('"error"'))).toEqual([]);
    },
  );

  it('of the details stores valid texts without invisible characters', async () => {
    const page = await open((await createCart(merchant, { requireShippingContact: true })).url);
    const names = fields['details']!.filter((name) => /name$|address2?$|city$/i.test(name));
    const input = Object.fromEntries(names.map((name) => [name, '\u202eadA\u202c \u2067x\u2069']));
    const next = await submit(page, { ...elsewhere, ...input });
    const form = formOf(await open(`${sessionUrl(next)}/details`));
    expect(names.map((name) => valueOf(form, name))).toEqual(names.map(() => 'adA x'));
  });

  it('of the details asks once about a state that contradicts the ZIP code, and stores the answer', async () => {
    const cart = await createCart(merchant);
    const contradiction = { state: 'OH', zip: '62701' };
    const asked = await submit(await open(cart.url), contradiction);
    expect(asked).toMatchObject({ status: 422, text: expect.stringContaining('id="state-error"') });
    expect(asked.text).toContain('ZIP code 62701 is usually in Illinois, but the state is Ohio');
    const applying = await submit(asked, contradiction);
    expect(applying).toMatchObject({ status: 200, step: 'apply' });
    expect((await storedApplications(service.database, cart.id))[0]!.billingContact).toMatchObject(contradiction);
    const again = await open(`${sessionUrl(applying)}/details`);
    expect(await submit(again, contradiction), 'not asked again').toMatchObject({ status: 200, step: 'apply' });
  });
});
