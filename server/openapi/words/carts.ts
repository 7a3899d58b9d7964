import { Callback } from '../../../shared/wire/callback.ts';
import { Cart, CartItem, CartOptions, CreateCartRequest, Discount, ShippingOption } from '../../../shared/wire/cart.ts';
import { ContactInput } from '../../../shared/wire/contact.ts';
import { EmailCartRequest, SharedCart, TextCartRequest } from '../../../shared/wire/sharing.ts';
import { object, type Worded } from './words.ts';

export const cartWords: readonly Worded[] = [
  object(
    CartItem,
    'CartItem',
    'An article. Its price times its quantity is at most 99999999999 cents.',
    {
      name: 'What the buyer reads. Left out, it is the sku.',
      sku: 'Your number of the article. Cancellations and refunds of line items name it. May be empty.',
      price: 'Cents, for one.',
      quantity: 'How many; multiplies the price.',
      imageUrl: 'Address of a picture, shown at checkout when it begins with http or https. May be empty or null.',
      detailUrl: "Address of the article's page. May be empty or null.",
    },
    'AcceptedCartItem',
  ),
  object(ShippingOption, 'ShippingOption', 'One way to ship that the buyer may pick.', {
    type: 'What the buyer reads.',
    typeId: 'What you read: it comes back as `shippingMethodCode`. No two options of a cart have the same.',
    cost: 'Cents.',
  }),
  object(Discount, 'Discount', 'Taken off the total, unless the cart has a `customTotal`.', {
    amount: 'Cents.',
    description: 'What the buyer reads.',
  }),
  object(
    ContactInput,
    'ContactInput',
    'A person and where they live: a `fullName`, or `firstName` and `lastName`, or all three.',
    {
      fullName: 'The whole name.',
      firstName: 'Given name.',
      lastName: 'Family name.',
      address: 'Street and number.',
      address2: 'Apartment, suite, unit.',
      city: 'City.',
      state: 'US state or DC, by its two letters.',
      zip: 'US zip. ZIP+4 is taken; its first five digits are kept.',
      email: 'E-mail address.',
      phone: 'US phone number, however it is punctuated; its ten digits are kept.',
    },
    'AcceptedContact',
  ),
  object(
    CartOptions,
    'CartOptions',
    'What is sold, to whom, and where to go afterwards. Priced by `items`, or by a `customTotal`, which wins over all other costs; one of the two there must be.',
    {
      orderRef: 'Your reference. It comes back in the callback and in the redirect.',
      callbackUrl: 'Where the callback is sent after a successful checkout. A user and a password in it go as HTTP Basic.',
      completeUrl:
        "Where the buyer goes after success, with `transactionId` and `orderRef` in the query. Left out, your store's address.",
      errorUrl:
        "Where the buyer is redirected after a failure, exactly as given: no offer, a technical failure, a canceled application, an expired link. Left out, your store's address.",
      createdBy: 'Who made the cart; taken here as well as beside `options`.',
      cartName: 'A name for the cart, for a promotion.',
      financingProgramId: 'Id of one of your financing programs. Left out, your default program.',
      items: 'The articles.',
      discounts: 'What is taken off.',
      shippingOptions: 'What the buyer picks from. A single one is picked already.',
      shippingContact: 'Where it is sent, filled in for the buyer.',
      billingContact: 'Who pays, filled in for the buyer.',
      disableEditShipping: 'Whether the buyer may not change where it is sent.',
      requireShippingContact: 'Whether the buyer must say where it is sent.',
      customTotal: 'Cents: the whole price, with shipping, taxes and discounts.',
      tax: 'Cents of tax.',
      metadata:
        'What you note for your own systems, by names of your own. The platform API shows it with the application when it is asked for.',
      buyerId:
        'Who buys, where you know: a UUID of your own for that person, the `buyerID` of the platform API. Left out, each application has a buyer of its own.',
    },
    'AcceptedCartOptions',
  ),
  object(CreateCartRequest, 'CreateCartRequest', 'A cart to be made. What is not named here is ignored.', {
    expiration:
      'The last day on which the link works, through its end in every US time zone. Today in any of them is accepted. Left out, the link works for seven days.',
    createdBy: 'Who made the cart. Left out, `Merchant API`.',
    cartName: 'What the cart is called; taken here as well as in `options`.',
    options: 'What is sold, to whom, and where to go afterwards.',
  }),
  object(Cart, 'Cart', 'A cart and its checkout link. A cart cannot be changed; make another one.', {
    id: 'Names the cart in further calls.',
    merchantId: 'Whose cart it is.',
    cartName: 'The name it was given, or empty.',
    expiration: 'The last day on which the link works, through its end in every US time zone.',
    url: 'The checkout link. It opens the first form, and shows nothing of a checkout that a buyer has started.',
    createdBy: 'Who made it.',
    isCustomTotal: 'Whether `customTotal` is its price.',
    options: 'What was accepted of the options.',
    asLowAs:
      'The lowest monthly price of the total that the checkout opens with: a single shipping option counts, options the buyer has yet to pick from do not.',
  }),
  object(EmailCartRequest, 'EmailCartRequest', "Who gets the cart's link by e-mail.", {
    email: 'Where it is sent.',
    name: 'How the letter greets.',
  }),
  object(TextCartRequest, 'TextCartRequest', "The phone that gets the cart's link.", {
    phone: 'US phone number, however it is punctuated.',
  }),
  object(SharedCart, 'SharedCart', 'That it was taken. It leaves afterwards; the sandbox keeps it instead.', {
    message: 'The same as a sentence.',
  }),
  object(Callback, 'Callback', 'A purchase was made.', {
    transactionId: 'Names the transaction. Read it, compare its total, and authorize it.',
    orderRef: 'That of the cart, or empty.',
  }),
];
