import { describeComponent } from './component.ts';

describeComponent('19');
