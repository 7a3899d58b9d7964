import 'fairterm/reserve.css';
import { createApp } from 'vue';
import { products } from '../shop/catalog.ts';
import ProductPage from './ProductPage.vue';

const { VITE_FAIRTERM_URL, VITE_FAIRTERM_KEY } = import.meta.env;

createApp(ProductPage, { product: products[0], serviceUrl: VITE_FAIRTERM_URL, apiKey: VITE_FAIRTERM_KEY }).mount('#app');
