import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { addressLines, type BuyerContact, fullName } from '../../../applications/contact.ts';
import type { Html } from '../../../http/html.ts';
import type { Parties } from '../../signing/agreement.ts';
import type { Texts } from '../../texts/texts.ts';

/** Labels and values of whom an agreement names and where the order goes. The home address stands alone where it is not both. */
export function partyRows({ buyer, shipTo }: Parties, { agreement: words }: Texts): [label: string, value: unknown][] {
  const home = addressBlock(buyer);
  const isElsewhere = shipTo !== undefined && addressLines(shipTo).join() !== addressLines(buyer).join();
  return [
    [words.buyer, html`<bdi>${fullName(buyer)}</bdi>`],
    [words.email, html`<bdi>${buyer.email}</bdi>`],
    ...(shipTo ? [[words.shipTo, addressBlock(shipTo)] as [string, Html]] : []),
    ...(!shipTo || isElsewhere ? [[words.homeAddress, home] as [string, Html]] : []),
  ];
}

/** An address in lines. */
export function addressBlock(contact: BuyerContact): Html {
  return html`${addressLines(contact).map((line, index) => html`${index > 0 ? html`<br />` : nothing}<bdi>${line}</bdi>`)}`;
}
