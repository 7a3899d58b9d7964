import '@fairterm/button/reserve.css';
import type { ReactNode } from 'react';

export const metadata = { title: 'Lounge chair', icons: { icon: 'data:,' } };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
