/**
 * The progress of long work on standard error: on a terminal one line below everything that was printed, with the count, the rate, the
 * elapsed time and what runs, which is replaced after each change; elsewhere a plain line for each step, and at most one each ten seconds
 * with its count. JavaScript, because `npm start` and `npm test` use it before the build.
 */
export class Progress {
  #stream;
  #title = '';
  #counts = '';
  #startedAtMs = Date.now();
  #printedAtMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {{ write(text: string): unknown, isTTY?: boolean | undefined, columns?: number }} stream */
  constructor(stream = process.stderr) {
    this.#stream = stream;
  }

  /**
   * Starts a step, whose time and rate are those since then.
   *
   * @param {string} title
   */
  start(title) {
    this.#startedAtMs = Date.now();
    this.#printedAtMs = Date.now();
    if (!this.#stream.isTTY) this.#stream.write(`${title}...\n`);
    this.show('', title);
  }

  /**
   * Shows how much of the step is done.
   *
   * @param {number} done
   * @param {number} [total] undefined if it is unknown
   */
  count(done, total) {
    const [now, all] = [done, total].map((count) => count?.toLocaleString('en-US'));
    this.show(`${now}${all === undefined ? '' : ` of ${all}`}, ${this.rate(done)}`);
  }

  /**
   * Returns the rate since the start: `12/s`.
   *
   * @param {number} done
   */
  rate(done) {
    const perSecond = (done * 1_000) / Math.max(1, Date.now() - this.#startedAtMs);
    const maximumFractionDigits = perSecond < 10 ? 1 : 0;
    return `${perSecond.toLocaleString('en-US', { maximumFractionDigits })}/s`;
  }

  /**
   * @param {string} counts
   * @param {string} title of what runs
   */
  show(counts, title = this.#title) {
    this.#counts = counts;
    this.#title = title;
    if (this.#stream.isTTY) {
      this.#timer ??= setInterval(() => this.#draw(), 1_000).unref();
      this.#draw();
    } else if (Date.now() - this.#printedAtMs >= PLAIN_MS && counts) {
      this.#printedAtMs = Date.now();
      this.#stream.write(`${this.#line()}\n`);
    }
  }

  /**
   * Prints lines above that of the progress.
   *
   * @param {string} text
   */
  print(text) {
    this.#stream.write(`${this.#stream.isTTY ? CLEAR : ''}${text.trimEnd()}\n`);
    if (this.#timer) this.#draw();
  }

  /** Removes the line, until the next step starts. */
  stop() {
    if (this.#timer) this.#stream.write(CLEAR);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #line() {
    const seconds = Math.round((Date.now() - this.#startedAtMs) / 1_000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return [this.#counts, time, this.#title].filter(Boolean).join(', ');
  }

  #draw() {
    // A longer line would continue on the next one, which is not cleared.
    this.#stream.write(CLEAR + this.#line().slice(0, (this.#stream.columns || 80) - 1));
  }
}

/** Shows how much of a step is done. @typedef {Pick<Progress, 'count'>} Counter */

/** Time between two plain lines of a step. */
const PLAIN_MS = 10_000;

/** Returns to the beginning of the line and erases it. */
const CLEAR = '\r\u001b[2K';
