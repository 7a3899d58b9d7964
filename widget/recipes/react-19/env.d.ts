import 'fairterm/jsx/react';
