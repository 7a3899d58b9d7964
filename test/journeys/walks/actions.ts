/** Random actions of a walk. */
import fc from 'fast-check';
import { shopNames } from './shops.ts';

/** The input of a form. Numbers select among the options on the page, modulo their count. */
export interface Filling {
  /** `unchanged`: the values of the page. `invalid`: valid values except for one field, which may be hidden. */
  how: 'valid' | 'unchanged' | 'empty' | 'invalid';
  buyer: number;
  choice: number;
  /** Index of the invalid field. */
  field: number;
  invalidValue: string;
}

/** `after request`, `during response`: the connection is closed at that time. */
export type SubmitMode = 'once' | 'twice' | 'after request' | 'during response' | 'both devices';

export type Action =
  | { act: 'open'; device: number }
  | { act: 'reload'; device: number }
  | { act: 'follow'; device: number; link: number }
  | { act: 'back'; device: number; pages: number }
  | { act: 'submit'; device: number; form: number; button: number; mode: SubmitMode; filling: Filling }
  | { act: 'visit step'; device: number; step: string; isPost: boolean }
  | { act: 'merchant'; what: MerchantAction }
  | { act: 'wait'; hours: number };

export type MerchantAction = 'retrieve' | 'expire' | 'authorize' | 'settle' | 'cancel' | 'refund' | 'sandbox checkout';

export interface Walk {
  /** Values of `Accept-Language` of both devices. */
  languages: readonly string[];
  shop: string;
  orderRef: boolean;
  urls: boolean;
  actions: Action[];
}

/** Strings that often break forms. They are mixed with random strings. */
const difficultStrings = [
  '',
  ' ',
  '\u0000',
  '\ud83d',
  '%00%E0%A4%A',
  '"><script>alert(1)</script>',
  "' or 1=1 --",
  '\u202eevoL',
  '👩‍👩‍👧‍👦',
  '-1',
  '02/30/1990',
  '٠١٢٣',
  '__proto__',
  'x'.repeat(10_000),
];
const invalidValue = fc.oneof(fc.constantFrom(...difficultStrings), fc.string({ unit: 'binary', maxLength: 40 }));

/** Mostly one device, so that enough walks reach the end of a checkout. */
const device = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) });
const number = fc.nat({ max: 59 });

const filling: fc.Arbitrary<Filling> = fc.record({
  how: fc.oneof(
    { weight: 10, arbitrary: fc.constant('valid' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unchanged' as const, 'empty' as const) },
    { weight: 2, arbitrary: fc.constant('invalid' as const) },
  ),
  buyer: number,
  choice: number,
  field: number,
  invalidValue,
});

const mode: fc.Arbitrary<SubmitMode> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('once' as const) },
  { weight: 2, arbitrary: fc.constant('twice' as const) },
  { weight: 1, arbitrary: fc.constantFrom('after request' as const, 'during response' as const) },
  { weight: 1, arbitrary: fc.constant('both devices' as const) },
);

/** Mostly the first form of a page, which is that of the step. */
const form = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: number });

const submit = fc.record({ act: fc.constant('submit' as const), device, form, button: number, mode, filling });

/** Existing and unknown steps. */
const steps = [
  'details',
  'restart',
  'apply',
  'plans',
  'card',
  'agreement',
  'check',
  'cancel',
  'extend',
  'nonsense',
  '',
  '%00',
  'details/',
];

const navigation = [
  fc.record({ act: fc.constant('open' as const), device }),
  fc.record({ act: fc.constant('reload' as const), device }),
  fc.record({ act: fc.constant('follow' as const), device, link: number }),
  fc.record({ act: fc.constant('back' as const), device, pages: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ act: fc.constant('visit step' as const), device, step: fc.constantFrom(...steps), isPost: fc.boolean() }),
];

const merchant = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<MerchantAction>('retrieve', 'authorize', 'settle', 'cancel', 'refund') },
  { weight: 1, arbitrary: fc.constantFrom<MerchantAction>('expire', 'sandbox checkout') },
);
const ofMerchant = fc.record({ act: fc.constant('merchant' as const), what: merchant });

const wait = fc.record({ act: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 25, 49, 24 * 6, 24 * 8, 24 * 40) });

/** @param timeMoves - Whether the walk may move the clock, which all walks on a service share. */
export function walks({ timeMoves }: { timeMoves: boolean }): fc.Arbitrary<Walk> {
  const action: fc.Arbitrary<Action> = fc.oneof(
    { weight: 14, arbitrary: submit },
    ...navigation.map((arbitrary) => ({ weight: 1, arbitrary })),
    { weight: 1, arbitrary: ofMerchant },
    ...(timeMoves ? [{ weight: 1, arbitrary: wait }] : []),
  );
  return fc.record({
    languages: fc.constantFrom(['en-US', 'es-MX'], ['es-MX', 'en-US']),
    shop: fc.constantFrom(...shopNames),
    orderRef: fc.boolean(),
    urls: fc.boolean(),
    actions: fc.array(action, { minLength: 8, maxLength: 24, size: 'max' }),
  });
}
