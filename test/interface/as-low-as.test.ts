import { beforeAll, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { describeOnEveryEngine } from '../support/engines.ts';
import { givenService, type TestMerchant, type TestService } from '../support/service.ts';

describeOnEveryEngine('POST /aslowas', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await givenService(engine);
    merchant = await service.givenMerchant();
  });

  it('answers the lowest monthly price for a total, with its disclosure and the program used', async () => {
    const { status, body } = await merchant.post('/aslowas', { customTotal: 50_000 });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['asLowAs', 'financingProgramId']);
    expect(body.asLowAs).toMatchObject({
      monthly: 2_307,
      amount: '$23.07',
      termLength: 24,
      termInterval: 'Month',
      apr: 0.0999,
      minApr: 0.0599,
      maxApr: 0.2999,
    });
    expect(body.asLowAs.asLowAsText).toContain('$23.07');
  });

  it.each([null, '', undefined])('takes the default program when financingProgramId is %j', async (financingProgramId) => {
    const { body } = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId });
    const again = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId: body.financingProgramId });
    expect(again.body).toEqual(body);
  });

  it.each([1, 100, 4_999, 3_000_001])('answers %i cents, which no offer covers, without any payment', async (customTotal) => {
    const { status, body } = await merchant.post('/aslowas', { customTotal });
    expect(status).toBe(200);
    expect(body.asLowAs).toMatchObject({ monthly: 0, amount: '', minApr: 0.0599, maxApr: 0.2999 });
    expect(body.asLowAs.asLowAsText).toContain('from $50.00 to $30,000.00');
  });

  it('takes 437.0 for an integer', async () => {
    expect(await merchant.post('/aslowas', '{"customTotal":43700.0}')).toMatchObject({ status: 200 });
  });

  it('answers what a page would work out from the program document', async () => {
    const document = await fetch(`${service.publicUrl}/storefront/programs?key=${merchant.apiKey}`).then((response) =>
      response.json(),
    );
    const { body } = await merchant.post('/aslowas', { customTotal: 129_900 });
    expect(asLowAs(document.programs[0], 129_900)).toEqual(body.asLowAs);
  });

  it.each([
    ['a missing total', {}, 'At path: customTotal -- Expected an integer, but received: undefined'],
    ['text', { customTotal: '500' }, 'At path: customTotal -- Expected an integer, but received: "500"'],
    ['a fraction', { customTotal: 1.5 }, 'At path: customTotal -- Expected an integer, but received: 1.5'],
    ['zero', { customTotal: 0 }, 'At path: customTotal -- Expected a integer greater than or equal to 1 but received `0`'],
    [
      'a negative total',
      { customTotal: -1 },
      'At path: customTotal -- Expected a integer greater than or equal to 1 but received `-1`',
    ],
    ['2^53', { customTotal: 2 ** 53 }, 'At path: customTotal -- Expected a integer less than or equal to 99999999999'],
    [
      'an unknown program',
      { customTotal: 1, financingProgramId: 'none' },
      'At path: financingProgramId -- Expected the id of one of',
    ],
  ])('refuses %s with 400, naming path, expectation and what came', async (_what, request, description) => {
    const answer = await merchant.post('/aslowas', request);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
    expect(answer.body.description).toContain(description);
  });

  it('does not quote from the program of another merchant', async () => {
    const other = await service.givenMerchant();
    const { body } = await other.post('/aslowas', { customTotal: 50_000 });
    const answer = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId: body.financingProgramId });
    expect(answer).toMatchObject({ status: 400, body: { code: 'program-not-found' } });
  });
});
