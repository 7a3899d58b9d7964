/** Renders the documents that `pdf-renderer.ts` sends to this thread, one at a time. An error ends the thread. */
import { parentPort } from 'node:worker_threads';
import { texts } from '../base/texts.ts';
import type { PdfSource } from './pdf-renderer.ts';
import { pdfOf } from './pdf.ts';

parentPort!.on('message', ({ html, signedAt, language }: PdfSource) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A port has no origin.
  void pdfOf(html, signedAt, texts[language]).then((pdf) => parentPort!.postMessage(pdf));
});
