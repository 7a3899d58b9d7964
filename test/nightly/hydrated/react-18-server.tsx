import { renderToString } from 'react-dom/server';
import { ProductPage, type ProductPageProps } from '../../../widget/recipes/react-18/ProductPage.tsx';

export const render = (props: ProductPageProps): string => renderToString(<ProductPage {...props} />);
