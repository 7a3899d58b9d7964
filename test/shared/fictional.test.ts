import { describe, expect, it } from 'vitest';
import { fictionalPhoneIn, phonesIn } from '../../shared/fictional.ts';

describe('phonesIn', () => {
  it.each<[text: string, phones: string[]]>([
    ['Call 800-555-0101 (8 a.m. to 5 p.m.)', ['800-555-0101']],
    ['Call 302-555-0142. 24 hours a day.', ['302-555-0142']],
    ['Call us toll-free at 800-241-0100 (8 a.m. to 5 p.m.)', ['800-241-0100']],
    ['Open 24/7: +1 (302) 241-0100, 1.888.241.0100 or 3022410100', ['+1 (302) 241-0100', '1.888.241.0100', '3022410100']],
    ['Call (302) 241‑0100 or 302 – 241 – 0101.', ['(302) 241‑0100', '302 – 241 – 0101']],
    ['Locally, call 241-0100 ext. 12.', ['241-0100']],
    ['From abroad, call +44 20 7946 0958.', ['+44 20 7946 0958']],
    ['Suite 120 302-241-0100', ['302-241-0100']],
    ['Wilmington, DE 19801-1234, 2026-03-31, $1,000.00, loan 302241010012', []],
  ])('finds the phone numbers without the digits that follow them: %s', (text, phones) => {
    expect(phonesIn(text)).toEqual(phones);
  });
});

describe('fictionalPhoneIn', () => {
  it.each([
    ['800-555-0101 (8 a.m. to 5 p.m.)', '800-555-0101'],
    ['302-555-0142. 24 hours a day', '302-555-0142'],
    ['+13025550142', '+13025550142'],
    ['302-241-0100 1-302-555-0199', '1-302-555-0199'],
    ['555-0142, 9 to 5', '555-0142'],
    ['302-555-0200 (8 a.m.)', undefined],
    ['302-555-01421', undefined],
  ])('finds a number that is reserved for fiction: %s', (text, phone) => {
    expect(fictionalPhoneIn(`Call ${text}.`)).toBe(phone);
  });
});
