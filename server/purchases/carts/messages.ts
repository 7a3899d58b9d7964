import type { CivilDate } from '../../../shared/dates.ts';
import { fill } from '../../../shared/languages/texts.ts';
import type { Language } from '../../../shared/languages/index.ts';
import type { AsLowAs } from '../../../shared/wire/as-low-as.ts';
import { buyerEmail, oneLine, withoutLinks } from '../../messages/buyer-email.ts';
import type { EmailContacts } from '../../messages/contacts.ts';
import { texts } from '../../base/texts.ts';
import type { EmailContent } from '../../messages/outbox.ts';

/** Content of a message with the checkout link of a cart. */
export interface CartMessage {
  language: Language;
  /** As messages have it. */
  merchantName: string;
  /** As the merchant typed it; empty if it is unknown. */
  postalAddress: string;
  url: string;
  /** The last day of the link, in every US time zone. */
  lastDay: CivilDate;
  totalCents: number;
  /** True if shipping is not in the total yet. */
  isBeforeShipping: boolean;
  currency: string;
  /** The "as low as" example of the total; undefined without a total. */
  asLowAs: AsLowAs | undefined;
  /** The operator and the lender of the program. */
  contacts: EmailContacts;
}

/**
 * Returns the e-mail with a checkout link, as plain text and as HTML with the same sentences. It ends with the postal address of its sender and
 * with the way to opt out: 15 USC 7704(a)(5)(A).
 *
 * @param optOutUrl - See `optOutUrlOf`.
 */
export function cartEmail(cart: CartMessage, name: string, optOutUrl: string): EmailContent {
  const { url, language } = cart;
  const { date, money, emails } = texts[language];
  const t = emails.cart;
  const merchant = cart.merchantName;
  const until = fill(t.until, { date: date(cart.lastDay) });
  const amount = money(cart.totalCents, cart.currency);
  const total = fill(cart.isBeforeShipping ? t.beforeShipping : t.total, { amount });
  const financing = financingIn(cart);
  const sender = [merchant, addressIn(cart)].filter(Boolean).join(', ');
  const email = buyerEmail({
    language,
    name,
    subject: fill(t.subject, { merchant }),
    contacts: cart.contacts,
    blocks: [
      { paragraphs: [fill(t.intro, { merchant })], button: { label: t.button, url } },
      { paragraphs: [until, total, ...(financing ? [financing] : [])] },
      { paragraphs: [fill(t.sender, { sender }), fill(t.optOut, { merchant })], link: optOutUrl },
    ],
  });
  return { ...email, optOutUrl };
}

/** Initials such as those of "P.O. Box" and "N.W.", whose periods `withoutLinks` would replace with spaces. */
const INITIALS = /(?<![\p{L}\p{N}])(\p{L})\.(\p{L})\.?(?![\p{L}\p{N}.])/gu;

/** Returns the postal address of the merchant without anything that mail programs turn into a link. */
function addressIn({ postalAddress }: CartMessage): string {
  return withoutLinks(postalAddress.replace(INITIALS, '$1$2'));
}

/** A payment requires its terms in the same paragraph: 12 CFR 1026.24(d). Without a price, the disclosure states the reason. */
function financingIn({ asLowAs, language }: CartMessage): string {
  if (!asLowAs) return '';
  const { monthly, amount, asLowAsText } = asLowAs;
  return monthly > 0 ? `${fill(texts[language].emails.cart.asLowAs, { amount })} ${asLowAsText}` : asLowAsText;
}

/** Characters in two segments of a text message in the GSM 03.38 alphabet, and in three in UCS-2, of which two have no room for the name. */
const MAX_LENGTH = { gsm: 306, unicode: 201 };

/** Characters that take one unit in GSM 03.38. */
const GSM = /^[A-Za-z0-9 \n!"#$%&'()*+,\-./:;<=>?@_]*$/;

/**
 * Returns the text message with a checkout link. Long merchant names are shortened, so that it fits two segments, or three in UCS-2. The
 * keywords STOP and HELP are the same in every language, because the text service handles the replies.
 */
export function textMessage(language: Language, merchantName: string, url: string): string {
  const message = (merchant: string) => fill(texts[language].cartText, { merchant, url });
  const whole = message(oneLine(merchantName));
  const limit = GSM.test(whole) ? MAX_LENGTH.gsm : MAX_LENGTH.unicode;
  if (whole.length <= limit) return whole;
  const graphemes = Array.from(new Intl.Segmenter('en').segment(oneLine(merchantName)), ({ segment }) => segment);
  let length = graphemes.length - 1;
  const shortened = () => message(`${graphemes.slice(0, length).join('').trimEnd()}...`);
  while (length > 1 && shortened().length > limit) length -= 1;
  return shortened();
}
