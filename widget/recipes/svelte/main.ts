// Types of the element in templates.
import '@fairterm/button/svelte';
import '@fairterm/button/reserve.css';
import { mount } from 'svelte';
import { products } from '../shop/catalog.ts';
import ProductPage from './ProductPage.svelte';

const { VITE_FAIRTERM_URL, VITE_FAIRTERM_KEY } = import.meta.env;
if (!VITE_FAIRTERM_URL || !VITE_FAIRTERM_KEY)
  throw new Error('Expected the variables VITE_FAIRTERM_URL and VITE_FAIRTERM_KEY, for example in .env');

mount(ProductPage, {
  target: document.querySelector('#app')!,
  props: { product: products[0], serviceUrl: VITE_FAIRTERM_URL, apiKey: VITE_FAIRTERM_KEY },
});
