import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Language } from '../../shared/languages/index.ts';
import { ServiceError } from '../base/errors.ts';
import type { Instant } from '../base/time.ts';

/** A signed document to render. */
export interface PdfSource {
  /** The stored page, see `documentOf`. */
  html: string;
  signedAt: Instant;
  language: Language;
}

export interface PdfRenderer {
  /**
   * Returns a document as a PDF.
   *
   * @throws ServiceError `rate-limited` - too many documents are waiting.
   * @throws Error - the document could not be rendered. Later calls are not affected.
   */
  render(source: PdfSource): Promise<Buffer>;
  /** Ends the thread. Renders that are not finished are rejected. */
  close(): Promise<void>;
}

/** Documents that are rendered or wait for it: about two seconds of work. */
const MAX_UNFINISHED = 20;

/** Time for starting the thread if necessary, and rendering a document. */
const TIMEOUT_MS = 15_000;

/** Enough for a document of 2 MB; an agreement with its texts has about 20 kB. */
const MEMORY = { maxOldGenerationSizeMb: 256 };

/** `pdf-worker.js`, or `pdf-worker.ts` when the service runs from its sources. */
const PDF_WORKER = new URL(`./pdf-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Creates a renderer with one thread, because rendering takes 20 to 115 ms of processor time, in which no request would be processed.
 * The thread starts with the first document, which therefore takes longer. It is replaced after an error or a timeout.
 */
export function createPdfRenderer({
  file = PDF_WORKER,
  timeoutMs = TIMEOUT_MS,
}: { file?: URL; timeoutMs?: number } = {}): PdfRenderer {
  let worker: Worker | undefined;
  /** Settles the render in progress. */
  let current: { resolve: (pdf: Uint8Array) => void; reject: (reason: unknown) => void } | undefined;
  let unfinished = 0;
  let isClosed = false;
  /** Settles when the last document in the queue was rendered, or has failed. The thread renders one at a time. */
  let lastTurn: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(file, { resourceLimits: MEMORY });
    started.on('message', (pdf: Uint8Array) => current?.resolve(pdf));
    started.on('error', (error: unknown) => current?.reject(error));
    started.on('exit', () => {
      worker = undefined;
      current?.reject(new Error('The thread that renders PDFs has ended.'));
    });
    return started;
  }

  async function renderNow(source: PdfSource): Promise<Buffer> {
    if (isClosed) throw new Error('The renderer of PDFs is closed.');
    const used = (worker ??= start());
    const timeout = setTimeout(() => current?.reject(new Error(`Expected a PDF within ${timeoutMs} ms.`)), timeoutMs);
    try {
      const pdf = await new Promise<Uint8Array>((resolve, reject) => {
        current = { resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
        used.postMessage(source);
      });
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
    } catch (thrown) {
      // The thread may still be rendering.
      await used.terminate();
      throw thrown;
    } finally {
      clearTimeout(timeout);
      current = undefined;
    }
  }

  return {
    async render(source) {
      if (unfinished >= MAX_UNFINISHED) {
        throw new ServiceError('rate-limited', 'Too many documents are being rendered.', { details: { retryAfterSeconds: '5' } });
      }
      unfinished++;
      const rendered = lastTurn.then(() => renderNow(source)).finally(() => unfinished--);
      lastTurn = rendered.catch(() => undefined);
      return rendered;
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
