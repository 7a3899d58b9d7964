import { listen } from './listen.ts';
import { atTheEnd } from './cleanup.ts';

export interface Pictures {
  /** Where they are, without a slash at the end. Every path below is a picture. */
  url: string;
  /** From here on nobody gets a picture, until `release`. */
  hold(): void;
  release(): void;
}

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480">
  <rect width="640" height="480" fill="#d9cbb5"/><circle cx="320" cy="250" r="130" fill="#6b4f36"/>
</svg>`;

/** A shop's server of pictures, wider than high as photographs are, and as slow as an example wants it. */
export async function givenPictures(): Promise<Pictures> {
  let waiting: (() => void)[] | undefined;
  const { url, stop } = await listen((_request, response) => {
    const answer = () => response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(PICTURE);
    if (waiting) waiting.push(answer);
    else answer();
  });
  atTheEnd(stop);
  return {
    url,
    hold: () => (waiting ??= []),
    release: () => {
      for (const answer of waiting ?? []) answer();
      waiting = undefined;
    },
  };
}
