import { hydrateRoot } from 'react-dom/client';
import { ProductPage } from '../../../widget/recipes/react-18/ProductPage.tsx';
import { props } from './props.ts';

hydrateRoot(document.querySelector('#app')!, <ProductPage {...props()} />);
