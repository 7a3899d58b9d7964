import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { chart, type Chart } from '../../../../server/http/pages/chart.ts';
import { renderHtml } from '../../../../server/http/pages/html.ts';
import { expectAccessible, openPage, startBrowser } from '../../../support/browser.ts';
import { Page } from '../../../support/page.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../../../server/http/pages/${name}`, import.meta.url));
const format = String;
const series = [
  { name: 'Started', values: [10, 40, 0], format },
  { name: 'Purchases', values: [0, 20, 5], format },
];
const chartOf = (change: Partial<Chart>): Chart => ({
  caption: 'Checkouts',
  heading: 'Day',
  points: ['Mon', 'Tue', 'Wed'],
  plots: [{ kind: 'lines', series }],
  ...change,
});
const drawn = (change: Partial<Chart>) =>
  new Page('https://pay.example/', { status: 200, text: renderHtml(chart(chartOf(change))) });
const pathsOf = (page: Page) => page.elements('path').map(({ attrs }) => attrs.find(({ name }) => name === 'd')!.value);

it('A chart of lines has a line for each series between evenly spaced ticks, and a table of all values', () => {
  const page = drawn({});
  expect(page.texts('span').slice(0, 3)).toEqual(['StartedPurchases', 'Started', 'Purchases']);
  expect(page.texts('text')).toEqual(['0', '10', '20', '30', '40']);
  expect(page.attribute('path', 'd', { class: 'grid' })).toBe('M0 100H100M0 75H100M0 50H100M0 25H100M0 0H100');
  expect(pathsOf(page)).toEqual(expect.arrayContaining(['M0 4H16', 'M16.67,75L50,0L83.33,100', 'M16.67,100L50,50L83.33,87.5']));
  expect(page.texts('td')).toEqual(['Mon', '10', '0', 'Tue', '40', '20', 'Wed', '0', '5']);
});

it('A chart of bars stacks the bars of each point, below a scale of their sums', () => {
  const page = drawn({ plots: [{ kind: 'bars', series }] });
  expect(page.texts('text')).toEqual(['0', '20', '40', '60']);
  const edges = (name: string) => page.attribute('path', 'd', { class: name, stroke: 'none' })!.match(/[ V][\d.]+/g);
  expect(edges('bars-1')).toEqual([' 100', 'V83.33', 'V100', ' 100', 'V33.33', 'V100', ' 100', 'V100', 'V100']);
  expect(edges('bars-2')).toEqual([' 83.33', 'V83.33', 'V83.33', ' 33.33', 'V0', 'V33.33', ' 100', 'V91.67', 'V100']);
});

it('A chart without values has ticks of whole numbers', () => {
  const page = drawn({ plots: [{ kind: 'bars', series: [{ name: 'Volume', values: [0, 0, 0], format }] }] });
  expect(page.texts('text')).toEqual(['0', '1', '2', '3', '4']);
});

it('A chart shows the values of a point in a line, and those of each point in the title of its mark', () => {
  const page = drawn({ plots: [{ kind: 'bars', series: series.slice(0, 1) }], others: series.slice(1), shown: 1 });
  expect(page.texts('p')).toEqual(['Tue: Started 40, Purchases 20']);
  expect(page.texts('title')).toEqual([
    'Mon: Started 10, Purchases 0',
    'Tue: Started 40, Purchases 20',
    'Wed: Started 0, Purchases 5',
  ]);
});

it('A chart is one tab stop, in which arrow keys show the values of each point', async () => {
  const browser = await startBrowser();
  const { page, problems } = await openPage(browser, { colorScheme: 'dark' });
  const plots = [
    { kind: 'bars' as const, series },
    { kind: 'area' as const, series: series.slice(0, 1) },
  ];
  const style = `<style>${['page', 'elements', 'chart'].map((name) => readFileSync(pathOf(`${name}.css`), 'utf8')).join('')}</style>`;
  await page.setContent(
    `<!doctype html><html lang="en"><title>Chart</title>${style}<main><h1>Chart</h1>${renderHtml(chart(chartOf({ plots, isStatic: true })))}</main>`,
  );
  await page.addScriptTag({ path: pathOf('chart-keys.js'), type: 'module' });
  const slider = page.getByRole('slider', { name: 'Checkouts' });
  const shown = () => page.locator('.reading').textContent();
  expect(await shown()).toBe('Wed: Started 0, Purchases 5, Started 0');
  await page.keyboard.press('Tab');
  expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
  const readings: (string | null)[] = [];
  for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'ArrowLeft', 'ArrowUp', 'End']) {
    await page.keyboard.press(key);
    readings.push((await shown())!.slice(0, 3));
    expect(await slider.getAttribute('aria-valuetext')).toBe(await shown());
  }
  expect(readings).toEqual(['Wed', 'Tue', 'Mon', 'Mon', 'Tue', 'Wed']);
  expect(await page.locator('.current').count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  expect(problems).toEqual([]);
});
