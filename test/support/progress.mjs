import { Progress as Line } from '../../server/base/progress.js';

/** The progress of `npm test` on a terminal: its steps, its tests and what runs. */
export class Progress {
  #line;
  #stepCount;
  #done = 0;
  #running = '';
  #passed = 0;
  #failed = 0;

  /**
   * @param {Pick<import('node:tty').WriteStream, 'write' | 'columns' | 'isTTY'>} stream
   * @param {number} stepCount
   */
  constructor(stream, stepCount) {
    this.#line = new Line(stream);
    this.#stepCount = stepCount;
  }

  /** @param {string} title of a step or of a part of it */
  start(title) {
    this.#running = title;
    this.#show();
  }

  /**
   * @param {{ passed?: number, failed?: number }} tests that have ended since the last call
   */
  add({ passed = 0, failed = 0 }) {
    this.#passed += passed;
    this.#failed += failed;
    this.#show();
  }

  finishStep() {
    this.#done += 1;
    this.#show();
  }

  /** @param {string} text */
  print(text) {
    this.#line.print(text);
  }

  /** Removes the line. */
  stop() {
    this.#line.stop();
  }

  #show() {
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    const tests = `${this.#passed} tests passed${failed}, ${this.#line.rate(this.#passed + this.#failed)}`;
    this.#line.show(`${this.#done} of ${this.#stepCount} steps, ${tests}`, this.#running);
  }
}
