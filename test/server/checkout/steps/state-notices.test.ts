import { describe, expect, it } from 'vitest';
import { findDocumentOfApplication } from '../../../../server/agreements/store.ts';
import { createCart, open, type Page, submit } from '../../../support/checkout.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';

const service = await startService();
const notice = (at: string, en: string, es?: string) => ({ at, text: { en, ...(es && { es }) } });
const notices = {
  CA: [
    notice('advertisement', 'Advertised in California.'),
    notice('application', 'You may apply.\nYou may also <b>not</b> apply.', 'Puede solicitar.'),
    notice('agreement', 'You can complain.'),
    notice('signature', 'Do not sign before you read this.'),
  ],
};
const merchant = await service.createMerchant({ program: createProgram({ states: { notices } }) });

describe('State notices', () => {
  const reachApplication = async (state: string, lang = 'en') =>
    submit(await open(`${(await createCart(merchant)).url}?lang=${lang}`), { state });
  const noticesIn = ({ text }: Page) =>
    [...text.matchAll(/<section class="notices".*?<\/section>/gs)].map(([section]) => section).join('');

  it('to applicants are on the page of the application, one paragraph per line, and only in their state', async () => {
    const shown = noticesIn(await reachApplication('CA'));

    expect(shown).toContain('<strong>California residents:</strong> You may apply.</p>');
    expect(shown.match(/<p>/g)).toHaveLength(2);
    expect(shown).toContain('You may also &lt;b&gt;not&lt;/b&gt; apply.');
    expect(shown).not.toMatch(/Advertised|complain|sign/);
    expect(noticesIn(await reachApplication('IL'))).toBe('');
  });

  it('are in the language of the page', async () => {
    expect(noticesIn(await reachApplication('CA', 'es'))).toContain(
      '<strong>Residentes de California:</strong> Puede solicitar.',
    );
  });

  it('in the agreement are shown with it, but not in an advertisement', async () => {
    const agreement = await submit(await submit(await reachApplication('CA'), { state: 'CA' }), { offerId: 'standard-24' });

    expect(agreement.step).toBe('agreement');
    expect(noticesIn(agreement)).toContain('<strong>California residents:</strong> You can complain.');
    expect(noticesIn(agreement)).not.toMatch(/Advertised|apply/);
  });

  it('of the signature are directly above it, on the page and in the signed document', async () => {
    const agreement = await submit(await submit(await reachApplication('CA'), { state: 'CA' }), { offerId: 'standard-24' });
    const above = /<\/section>\s*<fieldset>\s*<legend>/;
    expect(agreement.text.slice(agreement.text.indexOf('Do not sign before'))).toMatch(above);

    const signed = await submit(agreement, { signedName: 'Ada Lovelace' });
    expect(signed.status).toBe(303);
    const { id } = await service.database.query
      .selectFrom('applications')
      .select('id')
      .where('status', '=', 'CHECKOUT_COMPLETED')
      .executeTakeFirstOrThrow();
    const document = await findDocumentOfApplication(service.database.query, id);
    expect(document!.html).toMatch(/Do not sign before you read this\.<\/p>\s*<\/section>\s*<p class="signed">/);
  });

  it('are required in Wisconsin, where the program is otherwise not sold', async () => {
    expect(await reachApplication('WI')).toMatchObject({ step: 'excluded' });

    const other = await service.createMerchant();
    const page = await submit(await open((await createCart(other)).url), { state: 'WI' });
    expect(page.step).toBe('apply');
    expect(noticesIn(page)).toContain('No provision of a marital property agreement');
  });
});
