import { type BuyerContact, buyerOf } from '../../../applications/contact.ts';
import { nextSessionHash } from '../../web/form-token.ts';
import { invalid, type Step } from '../step.ts';
import { prefilledDetails, readDetails } from './form.ts';
import { canChangeDetails, changeDetails } from './submit.ts';
import { detailsPage } from './template.ts';

/** Who buys, where it ships, and how. Submitted at the cart's link, the form starts an application; see `startApplication`. */
export const details: Step = {
  name: 'details',
  title: (t) => t.details.title,
  appliesTo: () => true,
  isOpen: canChangeDetails,
  isDone: ({ application }) => application !== undefined,
  form: ({ purchase, application }) =>
    prefilledDetails(
      purchase.options,
      application && {
        billing: buyerOf(application),
        shipping: JSON.parse(application.shipping_contact_json) as BuyerContact,
        shippingTypeId: application.shipping_type_id,
      },
    ),
  template: detailsPage,
  submit: async (deps, { purchase, application }, body, now, { lang }) => {
    const read = readDetails(purchase.options, body);
    if (!read.ok) return invalid(read);
    await changeDetails(deps, application, { ...read.details, language: lang }, nextSessionHash(body), now);
    return 'next';
  },
  renewsSecret: true,
};
