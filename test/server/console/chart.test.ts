import { expect, it } from 'vitest';
import { chart, type Chart } from '../../../server/console/web/chart.ts';
import { renderHtml } from '../../../server/http/pages/html.ts';
import { Page } from '../../support/page.ts';

const format = String;
const drawn = (change: Partial<Chart>) => {
  const series = [
    { name: 'Started', values: [10, 40, 0], format },
    { name: 'Purchases', values: [0, 20, 5], format },
  ];
  const parts: Chart = { caption: 'Checkouts', heading: 'Day', points: ['Mon', 'Tue', 'Wed'], series, kind: 'lines', ...change };
  return new Page('https://pay.example/', { status: 200, text: renderHtml(chart(parts)) });
};

it('A chart of lines has a line for each series between evenly spaced ticks, and a table of all values', () => {
  const page = drawn({});
  expect(page.texts('span').slice(0, 6)).toEqual(['StartedPurchases', 'Started', 'Purchases', '40', '30', '20']);
  expect(page.attribute('path', 'd', { class: 'grid' })).toBe('M0 0H100M0 25H100M0 50H100M0 75H100M0 100H100');
  expect(page.elements('path').map(({ attrs }) => attrs.find(({ name }) => name === 'd')!.value)).toEqual(
    expect.arrayContaining(['M0 4H16', 'M0,75L50,0L100,100', 'M0,100L50,50L100,87.5']),
  );
  expect(page.texts('td')).toEqual(['Mon', '10', '0', 'Tue', '40', '20', 'Wed', '0', '5']);
});

it('A chart of bars has a bar of the first series for each point', () => {
  const page = drawn({ kind: 'bars' });
  const bars = page.attribute('path', 'd', { class: 'bars' })!;
  expect(bars.match(/V[\d.]+h/g)).toEqual(['V75h', 'V0h', 'V100h']);
  expect(page.texts('th')).toEqual(['Day', 'Started', 'Purchases']);
});

it('A chart without values has ticks of whole numbers', () => {
  const page = drawn({ kind: 'bars', series: [{ name: 'Volume', values: [0, 0, 0], format }] });
  expect(page.texts('span').slice(0, 5)).toEqual(['4', '3', '2', '1', '0']);
});
