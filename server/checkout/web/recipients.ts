import { fill } from '../../../shared/languages/texts.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { Session } from '../session/session.ts';
import { shownItems } from './order-summary.ts';
import type { Providers, View } from './urls.ts';

/** Returns the configured providers. The pages of a sandbox, which records messages, name them as a live service does. */
export function providersOf({ cards, mail }: Pick<CheckoutDeps, 'cards' | 'mail'>): Providers {
  return {
    cards: cards && (cards.company ?? null),
    hasEmails: mail.handling !== 'unavailable',
    hasTexts: mail.textHandling !== 'unavailable',
  };
}

type Order = Pick<Session, 'program' | 'merchant' | 'purchase'>;

/** Returns paragraphs that name every recipient of the buyer's data, and what each receives. */
export function recipientParagraphs(session: Order, view: View): string[] {
  const { application: texts } = view.t;
  const applying = recipientsOf(session, view);
  return [
    texts.lenderGets,
    applying.bureau && texts.bureauGets,
    texts.merchantGets,
    applying.cards && texts.cardProcessorGets,
    applying.emails && texts.emailServiceGets,
    applying.texts && texts.textServiceGets,
    applying.pictures && texts.picturesGet,
    texts.operatorKeeps,
  ].flatMap((text) => (text ? [fill(text, namesOf(session, view))] : []));
}

/** Returns the sentences below every page, which name the recipients. */
export function recipientSummary(session: Order | undefined, view: View): string {
  const { privacy, otherRecipients, recipients: labels } = view.t.layout;
  const applying = recipientsOf(session, view);
  const names = namesOf(session, view);
  const others = (['bureau', 'cards', 'emails', 'texts', 'pictures'] as const).filter((name) => applying[name]);
  if (others.length === 0) return fill(privacy, names);
  const recipients = view.t.list(others.map((name) => fill(labels[name], names)));
  return `${fill(privacy, names)} ${fill(otherRecipients, { recipients })}`;
}

/** Returns which of the recipients besides the lender, the merchant and the operator there are. */
function recipientsOf(session: Order | undefined, { providers }: View) {
  return {
    bureau: session?.program.lender.creditBureau !== undefined,
    cards: providers.cards !== undefined,
    emails: providers.hasEmails,
    texts: providers.hasTexts,
    pictures: session !== undefined && shownItems(session.purchase.options).imageOrigins.length > 0,
  };
}

function namesOf(session: Order | undefined, { t, operator, providers }: View): Record<string, string> {
  return {
    lender: session?.program.lender.name ?? t.copy.theLender,
    bureau: session?.program.lender.creditBureau?.name ?? '',
    merchant: session?.merchant.name ?? t.layout.theShop,
    operator: operator.name,
    processor: providers.cards ?? t.application.cardProcessor,
  };
}
