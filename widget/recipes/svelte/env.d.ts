import 'fairterm/svelte';
