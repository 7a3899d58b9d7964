import { crc32 } from 'node:zlib';

/** A picture of a format that browsers show and that cannot contain scripts. */
export interface Picture {
  extension: 'png' | 'jpg' | 'webp';
  width: number;
  height: number;
}

/**
 * Returns the format and the size in pixels of a file that is a PNG, JPEG or WebP picture from its first byte to its last one; undefined
 * for any other file, such as one that is also of another format. Checks the structure; the pixels are not decoded.
 */
export function pictureIn(bytes: Buffer): Picture | undefined {
  const picture = pngIn(bytes) ?? jpegIn(bytes) ?? webpIn(bytes);
  return picture && picture.width > 0 && picture.height > 0 ? picture : undefined;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Chunks from IHDR to IEND: W3C, PNG Specification, section 5. Each has 12 bytes besides its content: the length, the type and a check sum.
 * The 13 bytes of IHDR begin with width and height.
 */
function pngIn(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const types: string[] = [];
  let at = 8;
  while (types.at(-1) !== 'IEND') {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    types.push(bytes.toString('latin1', at + 4, at + 8));
    at = end;
  }
  if (at !== bytes.length || types[0] !== 'IHDR' || bytes.readUInt32BE(8) !== 13 || !types.includes('IDAT')) return undefined;
  return { extension: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * Segments from SOI to EOI, each scan with its coded data: ITU-T T.81, annex B. A segment is 0xff, its marker, and its length with the
 * content. 0xda begins a scan. Markers without a length, 0xd0 to 0xd9, are valid only in a scan and at both ends.
 */
function jpegIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: Picture | undefined;
  let hasScan = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // Any number of these bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else {
      const length = bytes.readUInt16BE(at + 2);
      const end = at + 2 + length;
      if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9) || length < 2 || end > bytes.length) return undefined;
      // Baseline and progressive pictures, which browsers show.
      if (marker >= 0xc0 && marker <= 0xc2) {
        if (length < 8) return undefined;
        size = { extension: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      }
      hasScan ||= marker === 0xda;
      at = marker === 0xda ? endOfScan(bytes, end) : end;
    }
    if (at + 2 === bytes.length && bytes.readUInt16BE(at) === 0xffd9) return hasScan ? size : undefined;
  }
  return undefined;
}

/** Returns where the next marker is, other than one within the coded data of a scan. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && !isRestart) return at;
  }
  return bytes.length;
}

/** Chunks that fill a RIFF file of the stated size: RFC 9649, section 2. */
function webpIn(bytes: Buffer): Picture | undefined {
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  if (!isRiff || bytes.readUInt32LE(4) !== bytes.length - 8) return undefined;
  const chunks: { type: string; content: Buffer }[] = [];
  let at = 12;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return undefined;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) return undefined;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), content: bytes.subarray(at + 8, end) });
    // A chunk of odd length is followed by a byte of padding.
    at = end + (length % 2);
  }
  const image = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF');
  const [first] = chunks;
  if (at !== bytes.length || !image || !first || first.content.length < 10) return undefined;
  const { type, content } = first;
  // The first chunk has the size: of an extended, a lossless or a lossy file. The last two have a signature.
  switch (type) {
    case 'VP8X':
      return { extension: 'webp', width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 };
    case 'VP8L': {
      if (content[0] !== 0x2f) return undefined;
      const sizes = content.readUInt32LE(1);
      return { extension: 'webp', width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      if (content.readUIntBE(3, 3) !== 0x9d012a) return undefined;
      return { extension: 'webp', width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
    default:
      return undefined;
  }
}
