import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onCleanup } from './cleanup.ts';
import { certificate } from './http.ts';

const NOTICE = '<h1>What does First Fair Bank do with your personal information?</h1>';

export interface TestNotice {
  url: string;
  /** SHA-256 of the document. */
  sha256: string;
  /** Number of requests. */
  requests: number;
}

/** Starts a server of a privacy notice with a self-signed certificate. Not at localhost, which is a reserved domain. */
export async function startPrivacyNotice(respond: RequestListener = (_, response) => response.end(NOTICE)): Promise<TestNotice> {
  const server = createServer({ cert: certificate.ca, key: readFileSync(certificate.keyFile) }, (request, response) => {
    notice.requests += 1;
    respond(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const notice: TestNotice = { url: `https://127.0.0.1:${port}/privacy`, sha256: hash('sha256', NOTICE), requests: 0 };
  return notice;
}
