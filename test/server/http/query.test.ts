import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { useLinearQueryParser } from '../../../server/http/body.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { listen } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

/** The maximum number of parameters that fits into the headers of a request. */
const FULL = 'a&'.repeat(7_900);

const app = new Koa();
useLinearQueryParser(app);
app.use((ctx) => {
  ctx.body = Object.entries(ctx.query);
});
const handle = app.callback();
const { url: address, stop } = await listen((request, response) => void handle(request, response));
onCleanup(stop);
const url = address;

describe('A query', () => {
  it.each([
    ['', '[]'],
    ['&&', '[]'],
    ['a', '[["a",""]]'],
    ['a=1&b=2', '[["a","1"],["b","2"]]'],
    ['a=1&b=2&a=3', '[["a",["1","3"]],["b","2"]]'],
    ['a=1+2%2B3=4', '[["a","1 2+3=4"]]'],
    ['a=%zz&%ff', '[["a","%zz"],["\ufffd",""]]'],
    ['__proto__=1&toString=2&__proto__=3', '[["__proto__",["1","3"]],["toString","2"]]'],
  ])('%j is parsed as %s', async (query, expected) => {
    expect(await (await fetch(`${url}/?${query}`)).text()).toBe(expected);
  });

  it('of the maximum number of parameters is parsed completely', async () => {
    expect(await (await fetch(`${url}/?${FULL}b=1`)).json()).toEqual([
      ['a', Array(7_900).fill('')],
      ['b', '1'],
    ]);
  });
});

// Fails by a timeout if the parsing time is quadratic, because each of these queries then takes at least a second.
it('80 queries with the maximum number of parameters are parsed within the timeout of a test', async () => {
  const { publicUrl } = await startService('sqlite');
  for (let times = 0; times < 40; times++) {
    for (const path of ['/c/unknown', '/a/unknown']) expect((await fetch(`${publicUrl}${path}?${FULL}`)).status).toBe(404);
  }
});
