// oxlint-disable-next-line import/no-unassigned-import -- registers the element
import './define.ts';

export * from './financing-button.ts';
