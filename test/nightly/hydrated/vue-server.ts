import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import ProductPage from '../../../widget/recipes/vue/ProductPage.vue';
import type { PageProps } from './props.ts';

export const render = (props: PageProps): Promise<string> => renderToString(createSSRApp(ProductPage, { ...props }));
