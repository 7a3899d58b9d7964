import { AsLowAs, AsLowAsRequest, AsLowAsResponse, QuoteBasis } from '../../../shared/wire/as-low-as.ts';
import { ErrorBody } from '../../../shared/wire/error.ts';
import { Health } from '../../../shared/wire/health.ts';
import {
  CheckoutOutcome,
  CheckoutRequest,
  CheckoutResponse,
  ClockRequest,
  ClockResponse,
  MessagesResponse,
  SandboxMessage,
} from '../../../shared/wire/sandbox.ts';
import { WidgetFile, WidgetManifest, WidgetVersion } from '../../../shared/wire/widget-manifest.ts';
import { object, value, type Worded } from './words.ts';

export const asLowAsWords: readonly Worded[] = [
  object(AsLowAsRequest, 'AsLowAsRequest', 'What a monthly price is wanted for.', {
    customTotal: 'Cents: the price of an article or of a cart.',
    financingProgramId: 'Id of one of your financing programs. Left out, your default program.',
  }),
  object(AsLowAsResponse, 'AsLowAsResponse', 'The lowest monthly price, and what it was worked out from.', {
    asLowAs: 'The price, as an example with its disclosure.',
    financingProgramId: 'Id of the program used.',
    basis: 'Enough to work every number out again.',
  }),
  object(AsLowAs, 'AsLowAs', 'The lowest monthly price for an amount, as an example with its disclosure.', {
    monthly: 'Cents a month; 0 when the amount is outside every offer.',
    amount: 'The same as text, `$34.14`; empty when the amount is outside every offer.',
    termLength: 'Number of payments; 0 when the amount is outside every offer.',
    termInterval: 'Unit of the term: `Month`.',
    apr: 'APR of the example, as a fraction: 0.0999 is 9.99 %.',
    minApr: 'The lowest APR of the program, as a fraction.',
    maxApr: 'The highest APR of the program, as a fraction.',
    asLowAsText: 'The disclosure that must stand beside the price.',
  }),
  object(QuoteBasis, 'QuoteBasis', 'What a price was worked out from.', {
    programVersion: 'Version of the financing program.',
    calculationVersion: 'Version of the arithmetic.',
    disclosureVersion: "Version of the disclosure's wording.",
    date: 'The day of the price, in UTC.',
  }),
];

export const sandboxWords: readonly Worded[] = [
  value(
    CheckoutOutcome,
    'CheckoutOutcome',
    'How a test checkout ends: in a purchase, in a denial, or in a purchase whose card declines as soon as it is authorized.',
  ),
  object(CheckoutRequest, 'CheckoutRequest', 'A test buyer takes a cart through the checkout.', {
    cartId: 'Which cart.',
    outcome: 'How it ends.',
  }),
  object(CheckoutResponse, 'CheckoutResponse', 'The purchase that came of it.', {
    transactionId: 'Names the transaction.',
  }),
  object(ClockRequest, 'ClockRequest', 'What time it shall be.', {
    now: 'The moment it is from here on, from 1970 through 8999; time goes on from there.',
  }),
  object(ClockResponse, 'ClockResponse', 'What time it is.', { now: 'The moment it is.' }),
  object(SandboxMessage, 'SandboxMessage', 'An e-mail or a text that the sandbox kept instead of sending it.', {
    id: 'Names the message.',
    channel: 'How it would have been sent.',
    to: 'An e-mail address, or the ten digits of a phone.',
    subject: 'Empty for a text.',
    text: 'What it says.',
    createdAt: 'When it was to be sent.',
  }),
  object(MessagesResponse, 'MessagesResponse', 'What the sandbox kept of yours.', { messages: 'The latest first.' }),
];

export const commonWords: readonly Worded[] = [
  object(ErrorBody, 'ErrorBody', 'What is answered to say no.', {
    description: "For the merchant's engineer: what was refused, what was expected, what came.",
    error: 'Always true. No other answer has this field.',
    type: 'Always the same.',
    code: 'Which refusal it is; never changes its meaning. Absent when a transaction id is invalid, and after a fault of ours.',
  }),
  object(WidgetManifest, 'WidgetManifest', 'Every release of the widget.', {
    current: 'The version that `/widget/v1/` has.',
    versions: 'What was released, by its version. Each is served for good.',
  }),
  object(WidgetVersion, 'WidgetVersion', 'A release of the widget.', {
    releasedAt: 'When this service had it first.',
    files: 'Its files by their names.',
  }),
  object(WidgetFile, 'WidgetFile', 'A file that pages load.', {
    url: 'Where it is. What is there never changes.',
    integrity: 'What a page writes as `integrity`, so that browsers run nothing else: SHA-384.',
    bytes: 'Its length before it is compressed.',
  }),
  object(Health, 'Health', 'How the service is.', { status: 'In a few words.' }),
];
