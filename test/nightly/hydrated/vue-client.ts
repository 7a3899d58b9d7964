import { createSSRApp } from 'vue';
import ProductPage from '../../../widget/recipes/vue/ProductPage.vue';
import { props } from './props.ts';

createSSRApp(ProductPage, { ...props() }).mount('#app');
