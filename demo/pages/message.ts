import { html } from '@lit-labs/ssr';
import type { Page } from './layout.ts';

function messagePage(title: string, text: string, link: { href: string; label: string }): Page {
  const main = html`
    <section class="message">
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a class="button" href=${link.href}>${link.label}</a></p>
    </section>
  `;
  return { title, main };
}

const toShop = { href: '/', label: 'Back to the shop' };
const toBag = { href: '/bag', label: 'Back to your bag' };

export const notFoundPage = messagePage('We do not have that', 'This page does not exist.', toShop);

export const badRequestPage = messagePage('That did not work', 'The form was invalid. Please go back and try again.', toShop);

export function wrongOriginPage(shopUrl: string): Page {
  const text = `Forms of this shop work at ${shopUrl} only. Open it there, and try again.`;
  return messagePage('That did not work', text, { href: shopUrl, label: 'Open the shop' });
}

export const internalErrorPage = messagePage('Something went wrong on our side', 'Please try again in a minute.', toShop);

export const serviceUnavailablePage = messagePage(
  'Financing is not available right now',
  'We could not reach the financing service. Your bag is safe; please try again in a minute.',
  toBag,
);

export const declinedPage = messagePage(
  'Let us find another way',
  'The financing did not go through, and nothing was charged. Your bag is unchanged. You can pay with a card, ' +
    'edit it and try again, or call us on 555 0142.',
  toBag,
);
