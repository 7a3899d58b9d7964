/** The texts about the recipients of a buyer's data, compared with what each recipient receives. */
import { text } from 'node:stream/consumers';
import { normalizedAddressHash } from '@fairterm/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { sandboxGateway } from '../../../server/purchases/cards/sandbox-gateway.ts';
import { createStripeGateway } from '../../../server/purchases/cards/stripe-gateway.ts';
import { createEmailSender } from '../../../server/messages/email.ts';
import { createTextSender } from '../../../server/messages/messages.ts';
import type { HandlingByChannel } from '../../../server/messages/outbox.ts';
import { systemClock } from '../../../server/base/time.ts';
import { startApp } from '../../support/app.ts';
import { chair, createCart, elsewhere, open, type Page, reachStep, submit, typed } from '../../support/checkout.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabase } from '../../support/databases.ts';
import { listen } from '../../support/http.ts';
import { bureau, type Responder, respondsWith, startLender } from '../../support/lenders.ts';
import { textOf } from '../../support/page.ts';
import { createProgram } from '../../support/programs.ts';
import { listApplications, startService } from '../../support/service.ts';
import { storedApplication, storedTransactions } from '../../support/stored.ts';
import { startStripe } from '../../support/stripe.ts';
import { until } from '../../support/time.ts';
import { ownKey, secondsNow, signed } from '../../support/tokens.ts';
import { startMailServer } from '../messages/mail-server.ts';

/** The beginning of a recipient's paragraph, its phrases with the data that they name, and data that needs no phrase. */
interface Recipient {
  paragraph: [english: string, spanish: string];
  phrases: [english: string, spanish: string, ...paths: string[]][];
  /** Data of the merchant, of the program or of the recipient, and ids. */
  known: string[];
}

/** Returns paths below a path. `*` is the rest of a path. */
const below = (path: string, names: string) => names.split(' ').map((name) => `${path}.${name}`);

const ADDRESS = 'address address2 city state zip';
const PERSON = `firstName lastName ${ADDRESS}`;
const TRANSACTION_CONTACT = `fullName email phone ${ADDRESS}`;
const ORDER = 'reference totalCents shippingCents taxCents lines.*';

const recipients: Record<string, Recipient> = {
  lender: {
    paragraph: ['Example Bank receives', 'Example Bank recibe'],
    phrases: [
      ['your contact details', 'sus datos de contacto', ...below('decisions.contact', `email phone ${PERSON}`)],
      ['your contact details', 'sus datos de contacto', ...below('agreements.contact', `email phone ${PERSON}`)],
      [
        'what you enter on this page',
        'lo que escribe en esta página',
        ...below('decisions.applicant', 'dateOfBirth taxIdLast4 taxId annualIncomeCents'),
      ],
      ['your consents', 'sus consentimientos', 'decisions.consents.*', 'agreements.consents.*'],
      ['your language', 'su idioma', 'decisions.language', 'agreements.document.language', 'notices.language'],
      [
        'your order',
        'su pedido',
        'decisions.amountCents',
        ...below('decisions.order', ORDER),
        ...below('agreements.order', ORDER),
      ],
      [
        'the shipping address with the name of the recipient',
        'la dirección de envío con el nombre del destinatario',
        'decisions.order.shippingAddress',
        ...below('decisions.order.shippingAddress', PERSON),
        ...below('agreements.order.shippingAddress', PERSON),
      ],
      ['your IP address', 'su dirección IP', 'decisions.client.ipAddress', 'agreements.client.ipAddress'],
      ['your browser and device', 'su navegador y dispositivo', 'decisions.client.userAgent', 'agreements.client.userAgent'],
      [
        'the times of applications with your email address in the last 24 hours',
        'las horas de las solicitudes con su correo electrónico en las últimas 24 horas',
        'decisions.earlierApplications',
      ],
      [
        'the signed agreement',
        'el contrato firmado',
        ...below('agreements', 'disclosure.* disclosureHash document.html document.sha256'),
      ],
      ['your name as you typed it', 'su nombre tal como lo escribió', 'agreements.signedName'],
      ['the time', 'la hora', 'agreements.signedAt'],
      ['how you received a code to sign', 'cómo recibió el código para firmar', 'agreements.codeSentBy'],
      ['the end of your application', 'el fin de su solicitud', ...below('events', 'type at by')],
      [
        'confirmations, cancellations, refunds and other changes of your order',
        'las confirmaciones, cancelaciones, reembolsos y otros cambios de su pedido',
        ...below(
          'events',
          'status amountCents cardCents changeCents financedCents principalCents feeCents aprBps lines.sku lines.quantity',
        ),
        ...below('events', 'disburseCents settledOn merchantOrderId orderRef'),
      ],
      ['the notices we email you', 'los avisos que le enviamos', ...below('notices', 'type at kinds html sha256')],
      ['whether they arrived', 'si llegaron', 'notices.outcome', 'notices.failure'],
    ],
    known: [
      ...below('decisions', 'applicationId requestId partialApproval merchant.* program.* tiers.*'),
      ...below('agreements', 'agreementId applicationId requestId transactionId merchant.*'),
      ...below('events', 'applicationId id requestId transactionId merchantFeeCents revision sequence'),
      ...below('notices', 'applicationId id requestId noticeId sequence'),
    ],
  },
  platform: {
    paragraph: ['Acme Goods and its sales platform', 'Acme Goods y su plataforma de ventas'],
    phrases: [
      ['when you apply', 'cuándo usted presenta su solicitud', 'createdAt', 'updatedAt'],
      ['the status of your application', 'el estado de su solicitud', 'status', 'statusCode', 'expiresAt'],
      ['your order', 'su pedido', 'order.*', 'orderRef'],
      ['the plans you are offered', 'los planes que se le ofrecen', 'offers.*'],
      [
        'the costs and the payments of a plan once you see its agreement',
        'los costos y los pagos de un plan una vez que usted ve su contrato',
        ...below('paymentAgreements', 'disclosure.* disclosureHash documentHash offer.*'),
        ...below('paymentAgreements', 'paymentAmount.* terms.* status'),
      ],
      ['when you sign', 'cuándo lo firma', ...below('paymentAgreements', 'consentedAt createdAt updatedAt')],
      [
        'your contact details and addresses when you have completed the purchase',
        'sus datos de contacto y sus direcciones cuando usted ha completado la compra',
        ...['billingContact', 'shippingContact'].flatMap((path) => [
          ...below(path, 'name.givenName name.familyName email phone'),
          ...below(`${path}.address`, 'address1 locality region postalCode country'),
        ]),
      ],
    ],
    known: [
      ...'buyerID cartID id merchantID programID tenantID transactionID paymentMethodID'.split(' '),
      ...'metadata.* paymentAgreements.id paymentAgreements.paymentProductID'.split(' '),
    ],
  },
  merchant: {
    paragraph: ['Acme Goods and its sales platform', 'Acme Goods y su plataforma de ventas'],
    phrases: [
      [
        'the status of your application',
        'el estado de su solicitud',
        'cart.status',
        ...below('events', 'type createdAt data.status data.reason'),
      ],
      [
        'your order',
        'su pedido',
        ...below('transaction', 'createdAt lineItems.* total adjustedTotal totalTax'),
        ...below('transaction', 'shippingCost shippingMethodCode shippingMethodName'),
        ...below('adjustments', 'type amount createdAt lines.*'),
      ],
      [
        'your contact details and addresses when you have completed the purchase',
        'sus datos de contacto y sus direcciones cuando usted ha completado la compra',
        ...below('transaction.billingContact', TRANSACTION_CONTACT),
        ...below('transaction.shippingContact', TRANSACTION_CONTACT),
      ],
      [
        'the plan you signed',
        'el plan que usted firmó',
        ...below('transaction.financing', 'amount apr firstPaymentDue monthly termInterval termLength'),
      ],
      ['the number of the loan', 'el número del préstamo', 'transaction.financing.loanNumber'],
      ['later changes of its payments', 'los cambios posteriores de sus pagos', 'transaction.financing.current.*'],
      ['the amount', 'el importe', 'transaction.card.amount'],
      ['the type and last four digits of the card', 'el tipo y los últimos cuatro dígitos de la tarjeta', 'console.cardLabel'],
      ['whether the payment succeeded', 'si el pago se realizó', 'transaction.card.state', 'transaction.card.holdExpiresAt'],
    ],
    known: [
      ...below('transaction', 'cartId merchantOrderId orderRef serviceTransactionId status carrierName trackingNumber'),
      ...below('events', 'id data.applicationId data.transactionId data.cartId data.orderRef data.merchantOrderId'),
      ...below('events', 'data.amount data.total data.adjustedTotal'),
      ...below('cart', 'asLowAs.* cartName createdBy expiration id isCustomTotal merchantId options.* url'),
      ...below('adjustments', 'id actor reason reference'),
    ],
  },
  'card processor': {
    paragraph: [
      'If you pay a part of the order by card, Stripe receives',
      'Si usted paga una parte del pedido con tarjeta, Stripe recibe',
    ],
    phrases: [
      [
        'that amount and its refunds',
        'ese importe y sus reembolsos',
        'amount',
        'currency',
        'amount_to_capture',
        'payment_intent',
        'metadata[refund_id]',
      ],
      ['your card', 'su tarjeta', 'payment_method', 'metadata[payment_method]', 'customer'],
      ['the number of your application', 'el número de su solicitud', 'client_reference_id', 'metadata[applicationId]'],
      ['your language', 'su idioma', 'locale'],
      ['the address of this checkout', 'la dirección de esta página de pago', 'success_url', 'cancel_url'],
    ],
    known: [
      'mode',
      'allowed_payment_method_types[0]',
      'customer_creation',
      'capture_method',
      'off_session',
      'expand[0]',
      'limit',
    ],
  },
  'email service': {
    paragraph: ['The email service that Fairterm Pay uses', 'El servicio de correo electrónico que usa Fairterm Pay'],
    phrases: [
      ['your name', 'su nombre', 'headers.to'],
      ['your email address', 'su dirección de correo electrónico', 'to'],
      ['the emails to you', 'los correos que se le envían', 'raw', 'headers.subject', 'headers.date'],
    ],
    known: ['from', ...below('headers', 'from message-id content-type mime-version auto-submitted x-auto-response-suppress')],
  },
  'text message service': {
    paragraph: ['The text message service that Fairterm Pay uses', 'El servicio de mensajes de texto que usa Fairterm Pay'],
    phrases: [
      ['your phone number', 'su número de teléfono', 'To'],
      ['a code and the name of Example Bank', 'un código y el nombre de Example Bank', 'Body'],
    ],
    known: ['From'],
  },
  operator: {
    paragraph: ['Fairterm Pay, which operates this service', 'Fairterm Pay, que opera este servicio'],
    phrases: [
      [
        'It stores your contact details and addresses',
        'Almacena sus datos de contacto y direcciones',
        ...'billingContact.* shippingContact.* emailHash normalizedAddressHash language'.split(' '),
      ],
      ['your order', 'su pedido', 'shippingTypeId'],
      [
        'the decision',
        'la decisión',
        ...'decision.* offers.* tierId offerId approvedOn isCoveredBorrower status statusCode'.split(' '),
      ],
      ['your consents', 'sus consentimientos', 'consents.*', 'submittedAt'],
      ['the messages to you', 'los mensajes que se le envían', 'codes.*'],
      [
        'the type and last four digits of a card',
        'el tipo y los últimos cuatro dígitos de una tarjeta',
        'cardLabel',
        'cardReference',
        'cardReturnHash',
      ],
      ['your loan', 'su préstamo', 'financedCents', 'currency', 'paymentAgreements.loanNumber'],
      [
        'what you sign',
        'lo que usted firma',
        ...below('paymentAgreements', 'id transactionId documentCode documentHash hasPdf'),
        ...below('paymentAgreements', 'disclosure.* disclosureHash offer.* signedName signedAt consents.* codeSentBy'),
      ],
      [
        'with your IP address, browser and device when you signed',
        'con su dirección IP, navegador y dispositivo al firmar',
        'paymentAgreements.client.ipAddress',
        'paymentAgreements.client.userAgent',
      ],
    ],
    known: [
      ...'id buyerId cartId merchantId tenantId programId programVersion paymentMethodId sealed metadata.*'.split(' '),
      ...'requestAttempts requestDueAt invalidOutcome requestId requestLeasedUntil revision sessionHash supersededAt warnAt'.split(
        ' ',
      ),
      ...'createdAt updatedAt expiresAt returnedAt consentWithdrawnAt detailsDeletedAt'.split(' '),
    ],
  },
};

/** Returns the paths of all values, without the indices of lists. */
function leafPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => leafPaths(each, path));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) => leafPaths(part, path === '' ? name : `${path}.${name}`));
}

const matches = (path: string) => (pattern: string) =>
  pattern === path || (pattern.endsWith('.*') && `${path}.`.startsWith(pattern.slice(0, -1)));

const program = createProgram({
  id: 'coded',
  signature: { code: 'sms' },
  application: { taxId: 'full' },
  lender: { name: 'Example Bank', licenses: {}, phone: '1-800-555-0100', creditBureau: bureau },
});

/** Approves a part of an order, and calculates the payments after a refund. */
const respond: Responder = (response, request) => {
  const { path, body } = request;
  const decision = { outcome: 'approved', tierId: 'A', limitCents: 60_000, reasons: ['income'] };
  if (path.endsWith('/decisions')) return respondsWith(decision)(response, request);
  if (path.endsWith('/agreements')) return respondsWith({ outcome: 'accepted', loanNumber: 'L-1' })(response, request);
  const schedule = { payments: [{ dueOn: '2099-01-01', amountCents: 20_000 }] };
  return respondsWith({ outcome: 'recorded', ...(body.type === 'refunded' && { schedule }) })(response, request);
};

const order = {
  items: [
    { ...chair, imageUrl: 'https://pictures.example/chair.png' },
    { ...chair, sku: 'CHAIR-2', price: 5_000 },
  ],
  orderRef: 'R-1',
  metadata: { campaign: 'fall' },
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 1_000 }],
};
const fields = { ...elsewhere, taxId: '123-45-1001', card: 'tok_visa' };

/** Returns the paragraphs about the recipients on the page of the application. */
function paragraphsOf(page: Page): string[] {
  const [box] = page.elements('div', { id: 'who-gets-what' });
  return box!.childNodes.flatMap((node) => (node.nodeName === 'p' ? [textOf(node)] : []));
}

const inSpanish = (page: Page) => open(page.url.replace('lang=en', 'lang=es'));

async function paragraphsInBoth(page: Page): Promise<[english: string[], spanish: string[]]> {
  return [paragraphsOf(page), paragraphsOf(await inSpanish(page))];
}

/** Makes a purchase that a card pays in part, and returns what each recipient received and the page that names it. */
async function purchase() {
  const bank = await startLender(respond);
  const mail = await startMailServer();
  const sentTexts: Record<string, string>[] = [];
  const textService = await listen((request, response) => {
    void (async () => {
      sentTexts.push(Object.fromEntries(new URLSearchParams(await text(request))));
      response.end();
    })();
  });
  onCleanup(textService.stop);
  const emails = createEmailSender({ url: mail.url, from: 'Pay <mail@pay.example>', timeoutMs: 20_000 });
  const texts = createTextSender({ url: textService.url, from: '+15550100100', timeoutMs: 20_000 });
  const close = async () => void (await Promise.all([emails.close(), texts.close()]));
  const messages = { email: emails.send, text: texts.send, close };

  const { database, publicUrl, ...service } = await startService('sqlite', { lender: bank.endpoint }, messages);
  const merchant = await service.createMerchant({ program });
  const claims = { iss: publicUrl, aud: publicUrl, iat: secondsNow(), exp: secondsNow() + 600, scope: 'r:application' };
  const token = signed(await ownKey(database), { ...claims, TenantID: merchant.tenantId });
  const list = async (query = '') =>
    (await listApplications(publicUrl, token, `metadata.eq=true&limit=1${query}`)).body.applications as object[];

  const earlier = await createCart(merchant);
  await reachStep(earlier.url, 'plans', fields);
  await merchant.post(`/carts/${earlier.id}/expire`);
  const cart = await createCart(merchant, order);
  const page = await reachStep(cart.url, 'apply', fields);
  const paragraphs = await paragraphsInBoth(page);
  const address = { address1: typed.address, locality: typed.city, region: typed.state, postalCode: typed.zip, country: 'US' };
  const found = await list(`&normalizedAddressHash.eq=${await normalizedAddressHash(address)}`);
  const agreement = await reachStep(page.url, 'agreement', fields);
  const listed = await list();
  const coded = await submit(agreement, {}, '/signing-code');
  await until(() => sentTexts.length > 0);
  const [signatureCode] = /\d{6}/.exec(sentTexts[0]!['Body']!)!;
  const done = await submit(coded, { signatureCode }, '/agreement');
  const id = new URL(done.headers.get('location')!).searchParams.get('transactionId')!;
  const { transactions } = merchant.fairterm;
  await transactions.authorize(id);
  await transactions.settle(id);
  await transactions.refund(id, { lineItems: [{ sku: 'CHAIR-2', quantity: 1 }] });
  await until(() => bank.requests.some(({ body }) => body?.type === 'refunded'));
  await until(() => bank.notices.some(({ type }) => type === 'notice-delivery'));
  await until(async () => (await transactions.retrieve(id)).financing?.current !== null);
  const bodiesOf = (path: string) => bank.requests.filter((one) => one.path.endsWith(path)).map(({ body }) => body as object);
  const cardLabels = (await storedTransactions(database, cart.id)).map(({ cardLabel }) => cardLabel);
  const received: Record<string, object[]> = {
    lender: [
      {
        decisions: bodiesOf('/decisions'),
        agreements: bodiesOf('/agreements'),
        events: bodiesOf('/events'),
        notices: bank.notices,
      },
    ],
    platform: [...listed, ...(await list())],
    merchant: [
      {
        transaction: (await merchant.get(`/transactions/${id}`)).body,
        adjustments: (await merchant.get(`/transactions/${id}/adjustments`)).body.adjustments,
        cart: (await merchant.get(`/carts/${cart.id}`)).body,
        events: (await merchant.get('/events?limit=100')).body.events,
        // The page of the order shows it.
        console: { cardLabel: cardLabels },
      },
    ],
    'email service': mail.emails,
    'text message service': sentTexts,
    operator: [await storedApplication(database, cart.id)],
  };
  return { cartId: cart.id, found, received, paragraphs };
}

/** Pays a part of an order with Stripe, and returns what it received and the page that names it. */
async function purchaseWithStripe() {
  const stripe = await startStripe();
  const cards = createStripeGateway({ key: 'sk_test_1', onFault: () => undefined, api: stripe.api });
  const app = await startApp(await createDatabase('sqlite'), { cards });
  const page = await reachStep((await app.createCart(order)).url, 'apply');
  const paragraphs = await paragraphsInBoth(page);
  const card = await reachStep(page.url, 'card', { taxIdLast4: '1101' });
  const redirect = await submit(card);
  const entryId = redirect.headers.get('location')!.split('/').at(-1)!;
  stripe.enterCard(entryId);
  const portion = { applicationId: stripe.requests[0]!.fields['client_reference_id']!, amountCents: 30_000 };
  const onFile = await cards.finishEntry({ ...portion, currency: 'USD', language: 'en' }, entryId);
  const { reference } = onFile!;
  await cards.authorize(reference, 20_000, systemClock.now());
  await cards.capture(reference, 20_000, 1);
  await cards.refund(reference, 10_000, 'refund-1');
  return { paragraphs, received: stripe.requests.map(({ fields: sent }) => sent) };
}

describe('The page of the application', () => {
  let purchased: Awaited<ReturnType<typeof purchase>>;
  let received: Record<string, object[]>;
  let pages: Record<string, [english: string[], spanish: string[]]>;
  beforeAll(async () => {
    purchased = await purchase();
    const withStripe = await purchaseWithStripe();
    received = { ...purchased.received, 'card processor': withStripe.received };
    pages = Object.fromEntries(Object.keys(recipients).map((name) => [name, purchased.paragraphs]));
    pages['card processor'] = withStripe.paragraphs;
  });

  describe.each(Object.entries(recipients))('about the %s', (name, { paragraph, phrases, known }) => {
    it('names all data that it receives, and nothing else', () => {
      const paths = [...new Set(received[name]!.flatMap((payload) => leafPaths(payload)))];
      const patterns = [...phrases.flatMap(([, , ...named]) => named), ...known];
      expect(paths.filter((path) => !patterns.some(matches(path)))).toEqual([]);
      expect(patterns.filter((pattern) => !paths.some((path) => matches(path)(pattern)))).toEqual([]);
    });

    it.each([
      ['English', 0],
      ['Spanish', 1],
    ] as const)('has a phrase for all of it in %s', (_language, language) => {
      const found = pages[name]![language].filter((each) => each.startsWith(paragraph[language]));
      expect(found).toHaveLength(1);
      for (const phrase of phrases) expect(found[0]).toContain(phrase[language]);
    });
  });

  it('states that platforms can find an application by an address that they know, before the purchase', () => {
    expect(purchased.found).toMatchObject([{ cartID: purchased.cartId, status: 'STARTED' }]);
    const [english, spanish] = pages['platform']!;
    expect(english.join()).toContain('They can find your application by your home address if they already know the address.');
    expect(spanish.join()).toContain('Pueden encontrar su solicitud por la dirección de su domicilio si ya la conocen.');
  });

  it('names the credit bureau, services and hosts of pictures only if there are any', async () => {
    const pagesWith = async (handling: 'recorded' | 'unavailable', cards: typeof sandboxGateway | undefined, lender: object) => {
      const database = await createDatabase('sqlite');
      const messageHandlings: HandlingByChannel = { email: handling, text: handling };
      const app = await startApp(database, { messageHandlings, cards, program: createProgram({ id: 'one', lender }) });
      const page = await reachStep((await app.createCart(handling === 'recorded' ? order : {})).url, 'apply');
      return [page, await inSpanish(page)];
    };
    const named = [
      [/Example Credit Reports/, /a payment processor|un procesador de pagos/, /email service|servicio de correo/],
      [/text message service|servicio de mensajes/, /hosts|servidores/],
    ].flat();
    const lender = { name: 'Example Bank', licenses: {} };
    const all = await pagesWith('recorded', sandboxGateway, { ...lender, creditBureau: bureau });
    const none = await pagesWith('unavailable', undefined, lender);
    for (const page of [...all, ...none]) {
      const isComplete = all.includes(page);
      const footer = page.texts('footer').join();
      expect(paragraphsOf(page)).toHaveLength(isComplete ? 8 : 3);
      for (const each of [paragraphsOf(page).join(), footer]) {
        for (const pattern of named) expect(pattern.test(each), `${pattern} in ${each}`).toBe(isComplete);
        expect(each).not.toMatch(/Stripe|\{/);
      }
      expect(/Other recipients|Otros destinatarios/.test(footer)).toBe(isComplete);
    }
  });
});
