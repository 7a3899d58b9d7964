import { hydrateRoot } from 'react-dom/client';
import { ProductOptions } from '../../../widget/recipes/next/app/products/[slug]/ProductOptions.tsx';
import { props } from './props.ts';

const { product, serviceUrl, apiKey } = props();

// The markup of the server-rendered page. Only ProductOptions is a client component.
hydrateRoot(
  document.querySelector('#app')!,
  <main>
    <h1>{product.name}</h1>
    <ProductOptions product={product} serviceUrl={serviceUrl} apiKey={apiKey} />
  </main>,
);
