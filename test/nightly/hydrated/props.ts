import type { Product } from '../../../widget/recipes/shop/catalog.ts';

export interface PageProps {
  product: Product;
  serviceUrl: string;
  apiKey: string;
}

/** What the page was rendered with, as the server wrote it into it. */
export const props = (): PageProps => JSON.parse(document.querySelector('#props')!.textContent) as PageProps;
