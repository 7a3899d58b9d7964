import { hydrate } from 'svelte';
import ProductPage from '../../../widget/recipes/svelte/ProductPage.svelte';
import { props } from './props.ts';

hydrate(ProductPage, { target: document.querySelector('#app')!, props: props() });
