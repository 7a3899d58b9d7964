import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './project.mjs';

const POLL_MS = 25;
const TIMEOUT_MS = 60_000;

/**
 * Returns the port of an environment variable.
 *
 * @param {string} variable
 * @param {number} defaultPort
 */
export function portFrom(variable, defaultPort) {
  const text = process.env[variable] || String(defaultPort);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`${variable} is "${text}", but a port is a number from 1 to 65535.`);
}

/**
 * Rejects with a `SetupError` if the port cannot be used.
 *
 * @param {string} variable the environment variable of the port
 * @param {string} host
 * @param {number} port
 * @returns {Promise<void>}
 */
export function requireFreePort(variable, host, port) {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new SetupError(portProblem(cause, variable, host, port), { cause })));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

function portProblem(cause, variable, host, port) {
  const another = `choose another with ${variable}, for example ${variable}=${port + 10}`;
  if (cause.code === 'EADDRINUSE') return `Port ${port} is in use. Stop what uses it, or ${another}.`;
  if (cause.code === 'EACCES') return `Port ${port} cannot be opened by this user; ${another}.`;
  return `Cannot listen on ${host}:${port} (${cause.message}). Check HOST and ${variable}.`;
}

/**
 * Waits until a URL responds with a status below 400.
 *
 * @param {string} url
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<void>}
 */
export async function waitUntilReady(url, signal) {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  let lastProblem = 'no response';
  while (Date.now() < deadlineMs) {
    if (signal.aborted) return;
    try {
      const response = await fetch(url, { signal, redirect: 'manual' });
      await response.arrayBuffer();
      if (response.status < 400) return;
      lastProblem = `status ${response.status}`;
    } catch (error) {
      lastProblem = error.cause?.message ?? error.message;
    }
    await delay(POLL_MS);
  }
  throw new SetupError(`${url} did not respond within ${TIMEOUT_MS / 1000} s (${lastProblem}).`);
}

/**
 * Returns the URL of a local server that listens on `host`.
 *
 * @param {string} host
 * @param {number} port
 */
export function localUrl(host, port) {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
