import { assert } from '@open-wc/testing';
import { months } from '../../widget/language.ts';

describe('terms are written by the browser, with its plurals', () => {
  const written: [locale: string, ...of: [one: string, two: string, five: string, twentyFour: string]][] = [
    ['en-us', '1 month', '2 months', '5 months', '24 months'],
    ['es-us', '1 mes', '2 meses', '5 meses', '24 meses'],
    ['fr-us', '1 mois', '2 mois', '5 mois', '24 mois'],
    ['fr-ca', '1 mois', '2 mois', '5 mois', '24 mois'],
    ['de-us', '1 Monat', '2 Monate', '5 Monate', '24 Monate'],
    ['pt-us', '1 mês', '2 meses', '5 meses', '24 meses'],
    ['it-us', '1 mese', '2 mesi', '5 mesi', '24 mesi'],
    ['nl-us', '1 maand', '2 maanden', '5 maanden', '24 maanden'],
    ['pl-us', '1 miesiąc', '2 miesiące', '5 miesięcy', '24 miesiące'],
    ['sv-us', '1 månad', '2 månader', '5 månader', '24 månader'],
    ['ar-us', 'شهر', 'شهران', '5 أشهر', '24 شهرًا'],
    ['ar-eg', 'شهر', 'شهران', '٥ أشهر', '٢٤ شهرًا'],
    ['he-us', '1 חודש', 'חודשיים', '5 חודשים', '24 חודשים'],
    ['ja-us', '1 か月', '2 か月', '5 か月', '24 か月'],
    ['ko-us', '1개월', '2개월', '5개월', '24개월'],
    ['zh-us', '1个月', '2个月', '5个月', '24个月'],
    ['zh-Hant-us', '1 個月', '2 個月', '5 個月', '24 個月'],
  ];
  for (const [locale, ...expected] of written) {
    it(`in ${locale}`, () => {
      assert.deepEqual(
        [1, 2, 5, 24].map((count) => months(count, locale)),
        expected,
      );
    });
  }
});
