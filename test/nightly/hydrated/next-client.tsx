import { hydrateRoot } from 'react-dom/client';
import { ProductOptions } from '../../../widget/recipes/next/app/products/[slug]/ProductOptions.tsx';
import { props } from './props.ts';

const { product, serviceUrl, apiKey } = props();

// What the page on the server gave; of its parts only this one runs in the browser.
hydrateRoot(
  document.querySelector('#app')!,
  <main>
    <h1>{product.name}</h1>
    <ProductOptions product={product} serviceUrl={serviceUrl} apiKey={apiKey} />
  </main>,
);
