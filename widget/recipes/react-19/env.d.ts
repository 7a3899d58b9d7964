import '@fairterm/button/jsx/react';
