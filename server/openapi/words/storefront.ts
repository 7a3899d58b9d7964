import { OpenCartRequest, OpenedCart } from '../../../shared/wire/storefront.ts';
import { object, type Worded } from './words.ts';

export const storefrontWords: readonly Worded[] = [
  object(OpenCartRequest, 'OpenCartRequest', 'A cart that a page opens. What is not named here is ignored.', {
    key: 'Your API key. It is public; the secret never belongs on a page.',
    idempotencyKey:
      'A random UUID, a new one for each intention of a buyer. Never the number of an order: whoever sends it again with the same body is answered with the same cart.',
    options:
      'What is sold, to whom, and where to go afterwards: on your registered origins only. `createdBy` and `cartName` are not taken from pages.',
  }),
  object(OpenedCart, 'OpenedCart', 'The cart that was opened. More of it only your server may read.', {
    id: 'Names the cart in calls of your server.',
    url: 'The checkout link. It opens the first form, and shows nothing of a checkout that a buyer has started.',
    expiration: 'The last day on which the link works, through its end in every US time zone.',
  }),
];
