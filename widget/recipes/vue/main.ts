// Types of the element in templates.
import '@fairterm/button/vue';
import '@fairterm/button/reserve.css';
import { createApp } from 'vue';
import { products } from '../shop/catalog.ts';
import ProductPage from './ProductPage.vue';

const { VITE_FAIRTERM_URL, VITE_FAIRTERM_KEY } = import.meta.env;
if (!VITE_FAIRTERM_URL || !VITE_FAIRTERM_KEY)
  throw new Error('Expected the variables VITE_FAIRTERM_URL and VITE_FAIRTERM_KEY, for example in .env');

createApp(ProductPage, { product: products[0], serviceUrl: VITE_FAIRTERM_URL, apiKey: VITE_FAIRTERM_KEY }).mount('#app');
