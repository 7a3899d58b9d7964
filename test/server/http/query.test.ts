import Koa from 'koa';
import { beforeAll, describe, expect, it } from 'vitest';
import { useLinearQueryParser } from '../../../server/http/body.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { listen } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

/** As many parameters as a request has room for. */
const FULL = 'a&'.repeat(7_900);

describe('A query', () => {
  let url: string;
  beforeAll(async () => {
    const app = new Koa();
    useLinearQueryParser(app);
    app.use((ctx) => {
      ctx.body = Object.entries(ctx.query);
    });
    const handle = app.callback();
    const { url: address, stop } = await listen((request, response) => void handle(request, response));
    onCleanup(stop);
    url = address;
  });

  it.each([
    ['', '[]'],
    ['&&', '[]'],
    ['a', '[["a",""]]'],
    ['a=1&b=2', '[["a","1"],["b","2"]]'],
    ['a=1&b=2&a=3', '[["a",["1","3"]],["b","2"]]'],
    ['a=1+2%2B3=4', '[["a","1 2+3=4"]]'],
    ['a=%zz&%ff', '[["a","%zz"],["\ufffd",""]]'],
    ['__proto__=1&toString=2&__proto__=3', '[["__proto__",["1","3"]],["toString","2"]]'],
  ])('%j', async (query, expected) => {
    expect(await (await fetch(`${url}/?${query}`)).text()).toBe(expected);
  });

  it('of very many parameters is parsed completely', async () => {
    expect(await (await fetch(`${url}/?${FULL}b=1`)).json()).toEqual([
      ['a', Array(7_900).fill('')],
      ['b', '1'],
    ]);
  });
});

// Read once for each parameter, every one of these queries takes a second or two: longer than a test may run.
it('is parsed eighty times with the maximum number of parameters', async () => {
  const { publicUrl } = await startService('sqlite');
  for (let times = 0; times < 40; times++) {
    for (const path of ['/c/nobody', '/a/nobody']) expect((await fetch(`${publicUrl}${path}?${FULL}`)).status).toBe(404);
  }
});
