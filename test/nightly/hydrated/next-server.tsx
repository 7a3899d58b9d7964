import { renderToString } from 'react-dom/server';
import ProductPage from '../../../widget/recipes/next/app/products/[slug]/page.tsx';
import type { PageProps } from './props.ts';

/** Renders the page like Next.js: awaits the server component, then renders its result. */
export async function render({ product, serviceUrl, apiKey }: PageProps): Promise<string> {
  Object.assign(process.env, { FAIRTERM_URL: serviceUrl, FAIRTERM_KEY: apiKey });
  return renderToString(await ProductPage({ params: Promise.resolve({ slug: product.slug }) }));
}
