import { FinancingButton } from '@fairterm/button/react';
import { useState } from 'react';
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
      {product.currency === 'USD' && (
        <FinancingButton
          service={serviceUrl}
          apiKey={apiKey}
          amount={variant.priceCents}
          cartUrl={cartUrl}
          onFinancingQuote={({ detail }) => track('financing-quote', { sku, monthlyCents: detail.monthly })}
          onFinancingStart={() => track('financing-start', { sku })}
          onFinancingError={({ detail }) => track('financing-error', { code: detail.code })}
        >
          <a slot="fallback" href={cartUrl}>
            Pay over time
          </a>
        </FinancingButton>
      )}
    </main>
  );
}
