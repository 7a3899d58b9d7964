import { define } from './define.ts';

export type { AsLowAs } from '../shared/wire/as-low-as.ts';
export type { FinancingButtonEventMap, FinancingError, FinancingErrorCode } from './events.ts';
export { FinancingButton, type FinancingState } from './financing-button.ts';

define();
