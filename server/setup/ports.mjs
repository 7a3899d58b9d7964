import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './project.mjs';

const POLL_MS = 25;
const CART_TIMEOUT_MS = 60_000;

/**
 * @param {string} variable     the environment variable that may name another port
 * @param {number} defaultPort
 */
export function portFrom(variable, defaultPort) {
  const text = process.env[variable] || String(defaultPort);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`${variable} is "${text}", which is not a port: give a whole number from 1 to 65535.`);
}

/**
 * @param {string} variable the environment variable that may name another port
 * @param {string} host
 * @param {number} port
 * @returns {Promise<void>}
 */
export function refuseUsedPort(variable, host, port) {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new SetupError(portProblem(cause, variable, host, port), { cause })));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

function portProblem(cause, variable, host, port) {
  const another = `choose another with ${variable}, for example ${variable}=${port + 10}`;
  if (cause.code === 'EADDRINUSE') return `Port ${port} is in use. Stop what uses it, or ${another}.`;
  if (cause.code === 'EACCES') return `Port ${port} may not be opened by this user; ${another}.`;
  return `Cannot listen on ${host}:${port} (${cause.message}). Check HOST and ${variable}.`;
}

/**
 * Waits until an address answers with a success.
 *
 * @param {string} url
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<void>}
 */
export async function untilAnswering(url, signal) {
  const deadlineMs = Date.now() + CART_TIMEOUT_MS;
  let lastProblem = 'no answer';
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
  throw new SetupError(`${url} did not answer within ${CART_TIMEOUT_MS / 1000} s (${lastProblem}).`);
}

/**
 * Where a server that listens on `host` is reached from this machine.
 *
 * @param {string} host
 * @param {number} port
 */
export function localUrl(host, port) {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
