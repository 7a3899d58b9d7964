import { useEffect, useState } from 'react';
import { formatCents, type Product } from '../shop/catalog.ts';
import { track } from '../shop/track.ts';

export interface ProductPageProps {
  product: Product;
  serviceUrl: string;
  apiKey: string;
}

export function ProductPage({ product, serviceUrl, apiKey }: ProductPageProps) {
  const [sku, setSku] = useState(product.variants[0].sku);
  const variant = product.variants.find((candidate) => candidate.sku === sku) ?? product.variants[0];
  const cartUrl = `/checkout/financing?sku=${encodeURIComponent(variant.sku)}`;

  const [isMounted, setIsMounted] = useState(false);

  // Effects run only in the browser.
  useEffect(() => {
    setIsMounted(true);
    void import('@fairterm/button');
  }, []);

  return (
    <main>
      <h1>{product.name}</h1>
      <label>
        Wood
        <select value={sku} onChange={(event) => setSku(event.target.value)}>
          {product.variants.map((option) => (
            <option key={option.sku} value={option.sku}>
              {option.name}
            </option>
          ))}
        </select>
      </label>
      <p>{formatCents(variant.priceCents, product.currency)}</p>
      {/* The key replaces the element: React 19 adds no listeners to a server-rendered element (react/react#35446). */}
      {product.currency === 'USD' && (
        <financing-button
          key={String(isMounted)}
          service={serviceUrl}
          api-key={apiKey}
          amount={variant.priceCents}
          cart-url={cartUrl}
          onfinancing-quote={({ detail }) => track('financing-quote', { sku, monthlyCents: detail.monthly })}
          onfinancing-start={() => track('financing-start', { sku })}
          onfinancing-error={({ detail }) => track('financing-error', { code: detail.code })}
        >
          <a slot="fallback" href={cartUrl}>
            Pay over time
          </a>
        </financing-button>
      )}
    </main>
  );
}
