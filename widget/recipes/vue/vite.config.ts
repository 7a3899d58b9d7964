import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

// Without this, Vue looks for a component of that name and logs a warning.
const isCustomElement = (tag: string): boolean => tag === 'financing-button';

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
});
