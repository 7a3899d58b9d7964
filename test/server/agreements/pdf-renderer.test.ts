import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { documentOf } from '../../../server/agreements/document.ts';
import { pdfOf } from '../../../server/agreements/pdf.ts';
import { createPdfRenderer } from '../../../server/agreements/pdf-renderer.ts';
import { texts } from '../../../server/base/texts.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit } from '../../support/checkout.ts';
import { buildProject, startReachableProcess } from '../../support/process.ts';
import { startService } from '../../support/service.ts';
import { createAgreementFacts } from './agreement-facts.ts';

const { html } = documentOf(createAgreementFacts(), texts.en);
const source = { html, signedAt: '2026-11-21T09:30:12.000000Z', language: 'en' } as const;

/** Starts a renderer whose timeout is longer than any test needs, so that tests do not fail on a busy machine. */
function startRenderer(options: Parameters<typeof createPdfRenderer>[0] = {}) {
  const renderer = createPdfRenderer({ timeoutMs: 300_000, ...options });
  onCleanup(() => renderer.close());
  return renderer;
}

/** Returns the URL of a thread that runs `code` for each document. */
function threadOf(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';\nparentPort.on('message', ({ html }) => {\n${code}\n});\n`,
  );
  return pathToFileURL(file);
}

const withHtml = (content: string) => ({ ...source, html: content });

/** A thread that returns the document, except for documents that name a failure. */
const FAILING = `
  if (html === 'throw') throw new Error('It failed.');
  if (html === 'exit') process.exit();
  if (html === 'memory') for (const all = []; ; ) all.push(new Array(1e6).fill(html));
  if (html === 'loop') for (;;);
  if (html === 'fail when idle') setTimeout(() => { throw new Error('It failed later.'); }, 100);
  parentPort.postMessage(Buffer.from(html === 'id' ? String(threadId) : html));
`;

describe('The renderer of PDFs', () => {
  it('returns the same bytes as rendering in the main thread, also for documents at the same time', async () => {
    const renderer = startRenderer();
    const expected = await pdfOf(html, source.signedAt, texts.en);
    for (const pdf of await Promise.all([renderer.render(source), renderer.render(source)])) {
      expect(pdf.equals(expected)).toBe(true);
    }
  });

  it('takes less than half of the time of the main thread that rendering there takes', async () => {
    const renderer = startRenderer();
    await renderer.render(source);
    const busyMs = async (render: () => Promise<Buffer>) => {
      const before = performance.eventLoopUtilization();
      for (let count = 0; count < 10; count++) await render();
      return performance.eventLoopUtilization(before).active;
    };
    const inMainThread = await busyMs(() => pdfOf(html, source.signedAt, texts.en));
    expect(await busyMs(() => renderer.render(source))).toBeLessThan(inMainThread / 2);
  });

  it.each([
    ['throws an error', 'throw', 'It failed.'],
    ['ends', 'exit', 'The thread that renders PDFs has ended.'],
    ['runs out of memory', 'memory', 'Worker terminated due to reaching memory limit'],
  ])('fails one document whose thread %s, and renders those before and after it', async (_title, failure, message) => {
    const renderer = startRenderer({ file: threadOf(FAILING) });
    const rendered = ['one', failure, 'two', 'three'].map((content) => renderer.render(withHtml(content)));
    const results = await Promise.allSettled(rendered);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    await expect(rendered[1]).rejects.toThrow(message);
    expect(String(await rendered[2])).toBe('two');
  });

  it('fails a document whose thread does not respond in time, and renders the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const renderer = startRenderer({ file: threadOf(FAILING), timeoutMs: 8_000 });
    await renderer.render(withHtml('one'));
    const late = renderer.render(withHtml('loop'));
    const next = renderer.render(withHtml('two'));
    // The thread receives the document in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(8_000);
    await expect(late).rejects.toThrow('Expected a PDF within 8000 ms.');
    expect(String(await next)).toBe('two');
  });

  it('replaces a thread that failed between two documents', async () => {
    const renderer = startRenderer({ file: threadOf(FAILING) });
    const threadId = async () => String(await renderer.render(withHtml('id')));
    const first = await threadId();
    await renderer.render(withHtml('fail when idle'));
    await expect.poll(() => threadId().catch(() => first)).not.toBe(first);
  });

  it('rejects documents beyond 20 at the same time, and accepts others when those are rendered', async () => {
    const renderer = startRenderer({ file: threadOf(FAILING) });
    const first = Array.from({ length: 20 }, (_, index) => renderer.render(withHtml(String(index))));
    await expect(renderer.render(source)).rejects.toMatchObject({ code: 'rate-limited', details: { retryAfterSeconds: '5' } });
    expect((await Promise.all(first)).map(String)).toEqual(first.map((_, index) => String(index)));
    expect(String(await renderer.render(withHtml('next')))).toBe('next');
  });

  it('rejects the document in progress and those that wait when it is closed', async () => {
    const renderer = startRenderer({ file: threadOf(FAILING) });
    await renderer.render(withHtml('one'));
    const rendered = Promise.allSettled(['loop', 'next'].map((content) => renderer.render(withHtml(content))));
    // The thread receives the document in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    await renderer.close();
    expect(await rendered).toMatchObject([
      { status: 'rejected', reason: { message: 'The thread that renders PDFs has ended.' } },
      { status: 'rejected', reason: { message: 'The renderer of PDFs is closed.' } },
    ]);
  });

  it('runs in the built service, which ends when it is stopped afterwards', async () => {
    await buildProject();
    const service = await startService('sqlite');
    const agreement = await reachAgreement((await createCart(await service.createMerchant())).url);
    await submit(agreement);
    const { pathname } = new URL(await copyOf(await open(sessionUrl(agreement)), service.database));
    const built = await startReachableProcess(service.databaseUrl);

    const response = await fetch(`${built.url}${pathname}/agreement.pdf`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    built.child.kill('SIGTERM');
    expect(await built.ended).toMatchObject({ code: 0 });
  });
});
