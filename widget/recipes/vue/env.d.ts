import '@fairterm/button/vue';
