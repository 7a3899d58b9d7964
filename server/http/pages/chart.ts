import { fileURLToPath } from 'node:url';
import { html } from '@lit-labs/ssr';
import { scaleBand, scaleLinear, type ScaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { nothing } from 'lit';
import { staticFile } from '../static-files.ts';
import { table } from './elements.ts';
import type { Html } from './html.ts';

/** Height of a plot in pixels by default. */
const HEIGHT = 165;

/** A value for each point of a chart. */
export interface Series {
  name: string;
  values: readonly number[];
  format(value: number): string;
}

/** A picture of series with a scale: stacked bars, lines, or the area below a line. */
export interface Plot {
  kind: 'bars' | 'lines' | 'area';
  series: readonly Series[];
  /** Formats the values of the scale. Default: as those of the first series. */
  formatTick?: (value: number) => string;
  /** Height in pixels. Default: 165. */
  height?: number;
  /** Highest value of the scale, so that charts next to each other have the same one. Default: that of the series. */
  max?: number;
}

export interface Chart {
  /** Names the chart and its table. */
  caption: string;
  /** Heading of the points in the table, such as `Day`. */
  heading: string;
  /** The names of the points. */
  points: readonly string[];
  /** From top to bottom. */
  plots: readonly Plot[];
  /** Series that only the table and the line of values have, before and after those of the plots. */
  first?: readonly Series[];
  others?: readonly Series[];
  /** Text that opens the table. Default: `Show as a table`. */
  tableSummary?: string;
  /** Index of the point whose values are shown first. Default: the last one. */
  shown?: number;
  /** True on pages without scripts. */
  isStatic?: boolean;
}

/** The script of pages with charts: arrow keys move through the points. */
export const chartScript = staticFile(fileURLToPath(new URL('./chart-keys.js', import.meta.url)), '/checkout');

/** Pixels between two lines of a grid, about. */
const TICK_PX = 40;

const tickCount = ({ height = HEIGHT }: Plot) => Math.round(height / TICK_PX);

/** Lines of series that are distinguishable without colors. */
const DASHES = ['1 3', '5 3'];

/**
 * A chart with a line of values and the table of all of them. A pointer finds the values of each point in its title; the script makes the chart
 * one tab stop, whose arrow keys show the values of the points in the line.
 *
 * The picture is stretched to the width of the page, and its labels are texts around it, so that they keep their size on narrow screens.
 * Colors are in `chart.css`, for light and dark pages and for forced colors.
 */
export function chart(figure: Chart): Html {
  const { caption, points, plots, tableSummary = 'Show as a table', isStatic = false } = figure;
  const { shown = points.length - 1 } = figure;
  const drawn = plots.flatMap(({ series }) => series);
  const readings = points.map((_, index) => readingOf(figure, index));
  return html`<figure class="chart">
    <figcaption>${caption}${drawn.length > 1 ? legend(plots.map(({ kind, series }) => ({ kind, series: series.map(({ name }) => name) }))) : nothing}</figcaption>
    <div class="plots" data-caption="${caption}" data-index="${shown}" aria-hidden="true">
      ${picture(plots, points, readings)}
      <div class="points">${[0, 0.5, 1].map((part) => html`<span>${points[Math.round(part * (points.length - 1))]}</span>`)}</div>
    </div>
    <p class="reading" aria-hidden="true">${readings[shown]}</p>
    <details>
      <summary>${tableSummary}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${caption}">${valueTable(figure)}</div>
    </details>
    ${isStatic ? nothing : html`<script type="module" src="${chartScript.url}"></script>`}
  </figure>`;
}

function seriesOf({ first = [], plots, others = [] }: Chart): Series[] {
  return [...first, ...plots.flatMap(({ series }) => series), ...others];
}

/** Returns the values of a point in a line: `Nov 12: Started 5, Purchases 2`. */
function readingOf(figure: Chart, index: number): string {
  const values = seriesOf(figure).map(({ name, values: all, format }) => `${name} ${format(all[index]!)}`);
  return `${figure.points[index]}: ${values.join(', ')}`;
}

function valueTable(figure: Chart): Html {
  const series = seriesOf(figure);
  return table(
    [figure.heading, ...series.map(({ name }) => name)],
    figure.points.map((point, index) => [point, ...series.map(({ values, format }) => format(values[index]!))]),
    figure.caption,
  );
}

type Scale = ScaleLinear<number, number>;

/** Pixels between plots. */
const GAP = 22;

/** The plots below each other, with a mark over all of them for each point. */
function picture(plots: readonly Plot[], points: readonly string[], readings: readonly string[]): Html {
  const width = round(100 / points.length);
  const scales = plots.map((plot) => {
    // A scale of whole numbers, so that small counts have no fractions.
    return scaleLinear([0, Math.max(plot.max ?? highestOf(plot), tickCount(plot))], [100, 0]).nice(tickCount(plot));
  });
  const labels = plots.map((plot, index) => {
    const { series, height = HEIGHT, formatTick = series[0]!.format } = plot;
    const y = scales[index]!;
    const ticks = y.ticks(tickCount(plot)).map((tick) => ({ y: `${round(y(tick))}%`, text: formatTick(tick) }));
    const longest = Math.max(...ticks.map(({ text }) => text.length));
    return html`<svg class="ticks" width="${longest}ch" height="${height}" overflow="visible" fill="currentColor" text-anchor="end">
      ${ticks.map((tick) => html`<text x="100%" y="${tick.y}" dy="0.35em">${tick.text}</text>`)}
    </svg>`;
  });
  let top = 0;
  const drawn = plots.map((plot, index) => {
    const y = scales[index]!;
    const { height = HEIGHT } = plot;
    const at = top;
    top += height + GAP;
    const grid = y.ticks(tickCount(plot)).map((tick) => `M0 ${round(y(tick))}H100`);
    return html`<svg y="${at}" width="100%" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">
      <path class="grid" stroke-width="1" vector-effect="non-scaling-stroke" d="${grid.join('')}"></path>
      ${plot.kind === 'bars' ? bars(points, plot.series, y) : lines(points, plot, y)}
    </svg>`;
  });
  const mark = (reading: string, index: number) =>
    html`<rect x="${round((index * 100) / points.length)}%" width="${width}%"><title>${reading}</title></rect>`;
  return html`${labels}<svg class="picture" width="100%" height="${top - GAP}" overflow="visible" fill="none" stroke="currentColor" stroke-width="2">
      ${drawn}<g>${readings.map(mark)}</g>
    </svg>`;
}

/** A small picture of bars with `count` places, whose values are in the text next to it. */
export function thumbnail({ series, height = 40, max = 0 }: Plot, count: number): Html {
  const y = scaleLinear([0, Math.max(max, 1)], [100, 0]);
  const places = Array.from({ length: count }, (_, index) => String(index));
  return html`<svg class="thumbnail" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="${height}" fill="currentColor" aria-hidden="true">
    ${bars(places, series, y)}
  </svg>`;
}

/** A horizontal bar next to its value. @param max - The value of the longest bar. */
export function horizontalBar(value: number, max: number): Html {
  return html`<svg class="bar-1" width="100%" height="12" fill="currentColor" aria-hidden="true"><rect width="${round((100 * value) / Math.max(max, 1))}%" height="12" rx="2"></rect></svg>`;
}

/** Returns the highest value of a plot: of the sums of its series if they are stacked. */
export function highestOf({ kind, series }: Plot): number {
  const [first] = series;
  if (kind !== 'bars' || !first) return Math.max(0, ...series.flatMap(({ values }) => values));
  return Math.max(0, ...first.values.map((_, index) => series.reduce((sum, { values }) => sum + values[index]!, 0)));
}

/** Bars of the first series, with those of the next ones on top. */
function bars(points: readonly string[], series: readonly Series[], y: Scale): Html[] {
  const x = scaleBand(points, [0, 100]).paddingInner(0.3).paddingOuter(0.15);
  const width = round(x.bandwidth());
  const below = points.map(() => 0);
  return series.map(({ values }, index) => {
    const bar = (value: number, at: number) => {
      const from = below[at]!;
      // A negative value has no bar, and is in the table.
      below[at] = from + Math.max(0, value);
      return `M${round(x(points[at]!)!)} ${round(y(from))}V${round(y(below[at]))}h${width}V${round(y(from))}z`;
    };
    return html`<path class="bars-${index + 1}" fill="currentColor" stroke="none" d="${values.map(bar).join('')}"></path>`;
  });
}

function lines(points: readonly string[], { kind, series }: Plot, y: Scale): Html[] {
  const x = scalePoint(points, [0, 100]);
  // A point is in the middle of its target.
  x.padding(0.5);
  const at = (_: number, index: number) => round(x(points[index]!)!);
  const path = line<number>(at, (value) => round(y(value)));
  const filled = area<number>(at, 100, (value) => round(y(value)));
  return series.map(
    ({ values }, index) =>
      html`${kind === 'area' ? html`<path class="area" fill="currentColor" stroke="none" d="${filled([...values])}"></path>` : nothing}
        <path class="line-${index + 1}" stroke-dasharray="${DASHES[index] ?? nothing}" vector-effect="non-scaling-stroke" d="${path([...values])}"></path>`,
  );
}

/** The marks of series with their names. */
export function legend(plots: readonly { kind: Plot['kind']; series: readonly string[] }[]): Html {
  return html`<span class="legend">${plots.flatMap(({ kind, series }) =>
    series.map((name, index) => html`<span>${kind === 'bars' ? barMark(index) : lineMark(index)}${name}</span>`),
  )}</span>`;
}

function barMark(index: number): Html {
  return html`<svg width="12" height="12" fill="currentColor" aria-hidden="true"><path class="bars-${index + 1}" d="M0 0H12V12H0z"></path></svg>`;
}

function lineMark(index: number): Html {
  return html`<svg width="24" height="8" stroke="currentColor" stroke-width="2" aria-hidden="true"><path class="line-${index + 1}" stroke-dasharray="${DASHES[index] ?? nothing}" d="M0 4H16"></path></svg>`;
}

/** Returns an amount of whole dollars without cents: `$1,500`. */
export function withoutCents(amount: string): string {
  return amount.replace(/\D00(?!\d)/, '');
}

function round(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}
