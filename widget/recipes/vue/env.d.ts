import 'fairterm/vue';
