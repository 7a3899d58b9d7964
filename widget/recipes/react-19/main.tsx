// Types of the element in JSX.
import '@fairterm/button/jsx/react';
import '@fairterm/button/reserve.css';
import { createRoot } from 'react-dom/client';
import { products } from '../shop/catalog.ts';
import { ProductPage } from './ProductPage.tsx';

const { VITE_FAIRTERM_URL, VITE_FAIRTERM_KEY } = import.meta.env;
if (!VITE_FAIRTERM_URL || !VITE_FAIRTERM_KEY)
  throw new Error('Expected the variables VITE_FAIRTERM_URL and VITE_FAIRTERM_KEY, for example in .env');

createRoot(document.querySelector('#app')!).render(
  <ProductPage product={products[0]} serviceUrl={VITE_FAIRTERM_URL} apiKey={VITE_FAIRTERM_KEY} />,
);
