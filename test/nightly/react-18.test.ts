import { fileURLToPath } from 'node:url';
import { describeComponent } from '../react/component.ts';

const folderOf = (name: string) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

describeComponent('18', { react: folderOf('react-18'), 'react-dom': folderOf('react-dom-18') });
