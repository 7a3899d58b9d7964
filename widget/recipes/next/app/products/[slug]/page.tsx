import { findProduct, products } from '../../../shop/catalog.ts';
import { buttonOptions } from '../../../financing.ts';
import { ProductOptions } from './ProductOptions.tsx';

// Any other product is not found.
export const dynamicParams = false;
export const generateStaticParams = () => products.map(({ slug }) => ({ slug }));

export default async function ProductPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params;
  const product = findProduct(slug)!;
  // Only these two values are passed to the browser.
  const { serviceUrl, apiKey } = buttonOptions();
  return (
    <main>
      <h1>{product.name}</h1>
      <ProductOptions product={product} serviceUrl={serviceUrl} apiKey={apiKey} />
    </main>
  );
}
