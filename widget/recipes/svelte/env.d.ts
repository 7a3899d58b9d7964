import '@fairterm/button/svelte';
