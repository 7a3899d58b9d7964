import { renderToString } from 'react-dom/server';
import ProductPage from '../../../widget/recipes/next/app/products/[slug]/page.tsx';
import type { PageProps } from './props.ts';

/** As Next.js does it: the page runs on the server, and what it gives is rendered. */
export async function render({ product, serviceUrl, apiKey }: PageProps): Promise<string> {
  Object.assign(process.env, { FAIRTERM_URL: serviceUrl, FAIRTERM_KEY: apiKey });
  return renderToString(await ProductPage({ params: Promise.resolve({ slug: product.slug }) }));
}
