import 'fairterm/reserve.css';
import { createRoot } from 'react-dom/client';
import { products } from '../shop/catalog.ts';
import { ProductPage } from './ProductPage.tsx';

const { VITE_FAIRTERM_URL, VITE_FAIRTERM_KEY } = import.meta.env;

createRoot(document.querySelector('#app')!).render(
  <ProductPage product={products[0]} serviceUrl={VITE_FAIRTERM_URL} apiKey={VITE_FAIRTERM_KEY} />,
);
