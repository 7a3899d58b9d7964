import { render as renderPage } from 'svelte/server';
import ProductPage from '../../../widget/recipes/svelte/ProductPage.svelte';
import type { PageProps } from './props.ts';

export const render = (props: PageProps): string => renderPage(ProductPage, { props }).body;
