/** A product of the shop. */
export interface Product {
  slug: string;
  sku: string;
  name: string;
  /** The kind of product, in two or three words. */
  kind: string;
  /** Price of one unit, in cents. */
  priceCents: number;
  summary: string;
  /** Facts for the product page, one per line. */
  details: readonly string[];
}

/** The products in display order. Prices always come from this table, never from a browser. */
export const catalog: readonly Product[] = [
  {
    slug: 'turntable',
    sku: 'AT-TT-01',
    name: 'Arbor',
    kind: 'Belt-drive turntable',
    priceCents: 129_900,
    summary: 'A solid walnut plinth, a two-kilogram platter and an arm you set up once.',
    details: ['Moving-magnet cartridge, fitted and aligned', '33⅓ and 45 rpm, switched electronically', 'Five-year warranty'],
  },
  {
    slug: 'bookshelf-speakers',
    sku: 'AT-SP-02',
    name: 'Larch',
    kind: 'Bookshelf speakers, pair',
    priceCents: 89_900,
    summary: 'Two-way speakers in oiled larch that fill a living room and fit its shelves.',
    details: ['Silk-dome tweeter, 165 mm paper woofer', '48 Hz to 24 kHz, 87 dB', 'Matched and sold as a pair'],
  },
  {
    slug: 'amplifier',
    sku: 'AT-AM-03',
    name: 'Ember',
    kind: 'Integrated amplifier',
    priceCents: 114_900,
    summary: 'Sixty warm watts, a proper phono stage and two meters worth watching.',
    details: ['2 × 60 W into 8 Ω', 'Phono, two line inputs, optical', 'Headphone output on the front'],
  },
  {
    slug: 'floorstanding-speakers',
    sku: 'AT-SP-04',
    name: 'Sequoia',
    kind: 'Floorstanding speakers, pair',
    priceCents: 249_900,
    summary: 'Four drivers a side in a braced walnut cabinet, tuned by ear over two winters.',
    details: ['Three-way, 32 Hz to 26 kHz', 'Cast-iron plinths included', '38 kg a side'],
  },
  {
    slug: 'headphones',
    sku: 'AT-HP-05',
    name: 'Willow',
    kind: 'Open-back headphones',
    priceCents: 42_900,
    summary: 'Light on the head and wide in sound, with every part replaceable.',
    details: ['285 g, saddle-leather band', '3 m cable, 6.3 and 3.5 mm plugs', 'Pads, cable and drivers sold separately'],
  },
  {
    slug: 'table-radio',
    sku: 'AT-RA-06',
    name: 'Hazel',
    kind: 'Table radio',
    priceCents: 34_900,
    summary: 'FM, internet radio and one large dial that does exactly one thing.',
    details: ['FM, DAB+ and Wi-Fi', '100 mm full-range driver', 'Remembers three stations, like you do'],
  },
  {
    slug: 'record-cabinet',
    sku: 'AT-CA-07',
    name: 'Grove',
    kind: 'Record cabinet',
    priceCents: 74_900,
    summary: 'Room for two hundred records and a top that takes a turntable without a tremor.',
    details: ['Solid oak and walnut', '140 × 45 × 62 cm', 'Sliding slatted doors'],
  },
  {
    slug: 'record-care-kit',
    sku: 'AT-KI-08',
    name: 'Moss',
    kind: 'Record care kit',
    priceCents: 5_900,
    summary: 'Carbon brush, cleaning fluid and a cotton cloth for quieter records.',
    details: ['Alcohol-free fluid, 250 ml', 'Beech-handled brush', 'Lasts about a thousand sides'],
  },
];

/** Returns the product at `/products/:slug`. */
export function findProduct(slug: string): Product | undefined {
  return catalog.find((product) => product.slug === slug);
}
