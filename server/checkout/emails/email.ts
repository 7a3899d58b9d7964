import type { Language } from '../../../shared/disclosure/texts.ts';
import { oneLine } from '../../carts/one-line.ts';
import { renderHtml } from '../../http/html.ts';
import type { Letter } from '../../notifications/outbox.ts';
import { type Block, textOf } from './blocks.ts';
import { buyerLetterHtml } from './email-template.ts';

/** What is put in a letter to a buyer. */
export interface Said {
  language: Language;
  /** Whom it is for. */
  name: string;
  subject: string;
  greeting: string;
  blocks: readonly Block[];
}

/** A letter whose plain text and HTML say the same. */
export function buyerLetter({ language, name, subject, greeting, blocks }: Said): Letter {
  const title = oneLine(subject);
  const hello = oneLine(greeting);
  return {
    name: oneLine(name),
    subject: title,
    text: `${textOf([{ paragraphs: [hello] }, ...blocks])}\n`,
    html: renderHtml(buyerLetterHtml(language, title, hello, blocks)),
  };
}
