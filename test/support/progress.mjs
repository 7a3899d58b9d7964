/** The progress of `npm test` on a terminal: one line below everything that was printed, which is replaced after each change. */
export class Progress {
  #stream;
  #stepCount;
  #startedAtMs = Date.now();
  #done = 0;
  #running = '';
  #passed = 0;
  #failed = 0;
  #timer;

  /**
   * @param {Pick<import('node:tty').WriteStream, 'write' | 'columns'>} stream
   * @param {number} stepCount
   */
  constructor(stream, stepCount) {
    this.#stream = stream;
    this.#stepCount = stepCount;
    this.#timer = setInterval(() => this.#draw(), 1_000);
    this.#timer.unref();
  }

  /** @param {string} title of a step or of a part of it */
  start(title) {
    this.#running = title;
    this.#draw();
  }

  /**
   * @param {{ passed?: number, failed?: number }} tests that have ended since the last call
   */
  add({ passed = 0, failed = 0 }) {
    this.#passed += passed;
    this.#failed += failed;
    this.#draw();
  }

  finishStep() {
    this.#done += 1;
    this.#draw();
  }

  /** @param {string} text */
  print(text) {
    this.#stream.write(`${CLEAR}${text.trimEnd()}\n`);
    this.#draw();
  }

  /** Removes the line. */
  stop() {
    clearInterval(this.#timer);
    this.#stream.write(CLEAR);
  }

  #draw() {
    const seconds = Math.round((Date.now() - this.#startedAtMs) / 1_000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    const line = `${this.#done} of ${this.#stepCount} steps, ${this.#passed} tests passed${failed}, ${time}, ${this.#running}`;
    // A longer line would continue on the next one, which is not cleared.
    this.#stream.write(CLEAR + line.slice(0, (this.#stream.columns || 80) - 1));
  }
}

/** Returns to the beginning of the line and erases it. */
const CLEAR = '\r\u001b[2K';
