// @ts-check
// Makes each chart one tab stop. Arrow keys move through its points, and show the values of a point in the line below.
for (const plots of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.plots:not([tabindex])'))) {
  const reading = /** @type {HTMLElement} */ (plots.nextElementSibling);
  const points = [...plots.querySelectorAll('rect')];
  const last = points.length - 1;
  let index = Number(plots.dataset['index']);
  const set = (/** @type {Record<string, string | number>} */ attributes) => {
    for (const [name, value] of Object.entries(attributes)) plots.setAttribute(name, String(value));
  };
  const show = (/** @type {number} */ next) => {
    points[index]?.removeAttribute('class');
    index = next;
    points[index]?.setAttribute('class', 'current');
    const text = points[index]?.textContent ?? '';
    reading.textContent = text;
    set({ 'aria-valuenow': index, 'aria-valuetext': text });
  };
  plots.removeAttribute('aria-hidden');
  set({
    tabindex: 0,
    role: 'slider',
    'aria-label': plots.dataset['caption'] ?? '',
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': index,
    'aria-valuetext': reading.textContent ?? '',
  });
  plots.addEventListener('focus', () => show(index));
  plots.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const targets = { ArrowRight: index + 1, ArrowUp: index + 1, ArrowLeft: index - 1, ArrowDown: index - 1, Home: 0, End: last };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(Math.min(last, Math.max(0, next)));
  });
}
