import '@fairterm/button/reserve.css';
import type { ReactNode } from 'react';

// The empty icon prevents a request for /favicon.ico.
export const metadata = { title: 'Lounge chair', icons: { icon: 'data:,' } };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
