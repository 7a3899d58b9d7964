import { describe, expect, it } from 'vitest';
import { isPostOfficeBox } from '../../../../server/checkout/steps/details/form.ts';

/** Returns the lines of addresses in a list that is separated by semicolons. */
const linesOf = (list: string) => list.split(';').map((line) => line.replace(/^[ \n]+/, ''));

describe('A box of a post office', () => {
  it.each(
    linesOf(`
    PO Box 12; P.O. Box 12; P. O. Box 12; P O BOX 12; P.O.Box12; PO BOX12; pobox 12; pobox123; PO-Box 12; P/O Box 12;
    PO Box #12; PO Box No. 12; PO Box 1190-R; PO Box G; PO BX 12; P0 Box 12; ＰＯ Ｂｏｘ 12; PO\u00a0Box 12; PO\u2013Box 12;
    Post Office Box 12; Postoffice Box 12; Post Box 12; Postal Box 12; POB 12; P.O.B. 12; POB12; P.O. 123; PO 123;
    P.O. #123; P.O. No. 123; PO Drawer 7; P.O. Drawer 7; PO Drawer L; Post Office Drawer 7; PO Caller 7; PO Bin 7;
    PO Lockbox 7; Drawer 7; DRAWER L; Drawer 12-A; Caller 7; Caller Service 7; Firm Caller 7; Bin 7; Lockbox 7;
    Lock Box 7; Lockbox No. 7; General Delivery; GENERAL DELIVERY; Gen. Delivery; General Del.; c/o General Delivery;
    General Delivery, Springfield IL 62701; 12 Main Street, PO Box 7; 12 Main Street PO Box 7; 12 Main Street, P.O. 7;
    PMB 234; P.M.B. #234; Post Off. Box 7; 12 Main Street PMB 234; Private Mailbox 234; Apartado 12; Apartado Postal 12;
    Apdo. Postal 12; Apdo. #12; Apartado No. 12; Casilla Postal 12`),
  )('is %s', (line) => expect(isPostOfficeBox(line)).toBe(true));

  it.each([
    ['a rural route', 'RR 4 Box 9'],
    ['a rural route in words', 'Rural Route 4, Box 9'],
    ['a highway contract', 'HC 1 Box 23'],
    ['a star route', 'Star Route 2 Box 5'],
    ['a unit of a military post', 'PSC 3 Box 12'],
    ['a unit of a military address', 'Unit 2050 Box 4190'],
    ['a community mail room', 'CMR 416 Box 100'],
    ['a unit of a house', 'Box 4'],
    ['a unit after a street', '12 Analytical Way Box 4'],
    ['an apartment', 'Apt 7, Bin Side'],
    ['a suite', 'Suite 100 Drawer Building'],
    ['the code of a lockbox', 'Lockbox code 1234'],
  ])('is not %s: %s', (_title, line) => expect(isPostOfficeBox(line)).toBe(false));

  it.each(
    linesOf(`
    1 Boxwood Street; 4 Polar Boxer Road; 12 Box Elder Drive; Box Canyon Road 7; 12 Po Street; 3 Via Po;
    Po River Road 12; PO 12th Street; 12 Poboy Lane; 5 Pobst Road; 12 Drawer Lane; Drawer Road 7; 12 Caller Court;
    Caller Hill Road 7; 7 Bin Drive; Bin Canyon 12; Binford Street 7; 12 Lockbox Lane; 100 General Delivery Road;
    General Delivery Drive; 9 General Street; 12 Post Office Road; Post Office Square 1; 100 Old Post Office Lane;
    12 Post Boxwood Road; P.O.W. Memorial Highway 12; 12 Pombo Street; 12 Apartadero Street; 12 Apartado Street;
    7 Calle Apartado; 1600 Pennsylvania Avenue`),
  )('is not the street %s', (line) => expect(isPostOfficeBox(line)).toBe(false));
});
