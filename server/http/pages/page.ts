import { html } from '@lit-labs/ssr';
import type { nothing } from 'lit';
import type { Context } from 'koa';
import type { Html } from './html.ts';
import type { Texts } from '../../base/texts.ts';

/** Texts and addresses of a page. */
export interface PageView {
  t: Texts;
  urls: {
    /** Returns the address of a path below that of the page. */
    to(path?: string): string;
  };
}

/** Title and content of a page, without its frame. */
export interface PageContent {
  /** Name of the page. Defaults to the state of the checkout. */
  step?: string;
  title: string;
  content: Html;
}

/** Responds with a page. */
export type ShowPage = (ctx: Context, status: number, page: (view: PageView) => PageContent) => void;

export function unknownLinkPage({ t }: PageView): PageContent {
  return messagePage('unknown-link', t.unknownLink);
}

export function invalidRequestPage({ t }: PageView): PageContent {
  return messagePage('invalid-request', t.invalidRequest);
}

export function tooManyRequestsPage({ t }: PageView): PageContent {
  return messagePage('too-many-requests', t.tooManyRequests);
}

interface Message {
  title: string;
  lead: string;
}

/** Returns a page with a sentence, whose name is the state of the checkout. @param more - Below it. */
export function leadPage({ title, lead }: Message, more?: Html | typeof nothing): PageContent {
  return { title, content: html`<p class="lead">${lead}</p> ${more}` };
}

/** Returns a page with a sentence. @param more - Below it. */
export function messagePage(step: string, message: Message, more?: Html | typeof nothing): PageContent {
  return { step, ...leadPage(message, more) };
}
