import { html } from '@lit-labs/ssr';
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { nothing } from 'lit';
import type { Html } from '../../http/pages/html.ts';
import { table } from '../../http/pages/elements.ts';

/** A value for each point of a chart. */
export interface Series {
  name: string;
  values: readonly number[];
  format(value: number): string;
}

export interface Chart {
  /** Names the chart and its table. */
  caption: string;
  /** Heading of the points in the table, such as `Day`. */
  heading: string;
  /** The names of the points. */
  points: readonly string[];
  series: readonly Series[];
  /** `bars` shows the first series, `lines` all of them. */
  kind: 'bars' | 'lines';
}

const TICKS = 4;

/** Lines of series that are distinguishable without colors. */
const DASHES = ['1 3', '5 3'];

/**
 * A chart with the table of its values.
 *
 * The picture is stretched to the width of the page, and its labels are texts around it, so that they keep their size on narrow screens.
 * Colors are in the style sheet, for light and dark pages and for forced colors.
 */
export function chart({ caption, heading, points, series, kind }: Chart): Html {
  const [first] = series;
  const shown = kind === 'bars' ? series.slice(0, 1) : series;
  const max = Math.max(0, ...shown.flatMap(({ values }) => values));
  // A scale of whole numbers, so that small counts have no fractions.
  const y = scaleLinear([0, Math.max(max, TICKS)], [100, 0]).nice(TICKS);
  const ticks = y.ticks(TICKS).toReversed();
  return html`<figure class="chart">
    <figcaption>${caption}${kind === 'lines' ? legend(shown) : ''}</figcaption>
    <div class="plot" aria-hidden="true">
      <div class="ticks">${ticks.map((tick) => html`<span>${first?.format(tick)}</span>`)}</div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="165" overflow="visible" fill="none" stroke="currentColor" stroke-width="2">
        <path class="grid" stroke-width="1" vector-effect="non-scaling-stroke" d="${ticks.map((tick) => `M0 ${round(y(tick))}H100`).join('')}"></path>
        ${kind === 'bars' ? bars(points, shown, y) : lines(points, shown, y)}
      </svg>
      <div class="points">${[0, 0.5, 1].map((part) => html`<span>${points[Math.round(part * (points.length - 1))]}</span>`)}</div>
    </div>
    <details>
      <summary>Show as a table</summary>
      ${table(
        [heading, ...series.map(({ name }) => name)],
        points.map((point, index) => [point, ...series.map(({ values, format }) => format(values[index]!))]),
        caption,
      )}
    </details>
  </figure>`;
}

type Scale = (value: number) => number;

function bars(points: readonly string[], [series]: readonly Series[], y: Scale): Html {
  const x = scaleBand(points, [0, 100]).paddingInner(0.3);
  const width = round(x.bandwidth());
  const bar = (point: string, index: number) => `M${round(x(point)!)} 100V${round(y(series!.values[index]!))}h${width}V100z`;
  return html`<path class="bars" fill="currentColor" stroke="none" d="${points.map(bar).join('')}"></path>`;
}

function lines(points: readonly string[], series: readonly Series[], y: Scale): Html[] {
  const x = scalePoint(points, [0, 100]);
  const path = line<number>(
    (_, index) => round(x(points[index]!)!),
    (value) => round(y(value)),
  );
  return series.map(
    ({ values }, index) =>
      html`<path class="line-${index + 1}" stroke-dasharray="${DASHES[index] ?? nothing}" vector-effect="non-scaling-stroke" d="${path([...values])}"></path>`,
  );
}

function legend(series: readonly Series[]): Html {
  return html`<span class="legend">
    ${series.map(
      ({ name }, index) =>
        html`<span><svg width="24" height="8" stroke="currentColor" stroke-width="2" aria-hidden="true"><path class="line-${index + 1}" stroke-dasharray="${DASHES[index] ?? nothing}" d="M0 4H16"></path></svg>${name}</span>`,
    )}
  </span>`;
}

function round(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}
