import type { Product } from '../../../widget/recipes/shop/catalog.ts';

export interface PageProps {
  product: Product;
  serviceUrl: string;
  apiKey: string;
}

/** Returns the properties of the server-rendered page, from its JSON script. */
export const props = (): PageProps => JSON.parse(document.querySelector('#props')!.textContent) as PageProps;
