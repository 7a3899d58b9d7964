const nothing = (): void => {};

/**
 * Has something at work as long as there is a key, anew for another one. It may take its time to begin.
 *
 * @param start - Begins, and answers how to stop.
 * @param fail  - Called when it cannot begin.
 * @returns To be called with the key, as often as may be; empty for none.
 */
export function whileWanted(start: () => Promise<() => void>, fail: () => void): (key: string) => void {
  let wanted = '';
  let stop = nothing;

  const begin = async (key: string): Promise<void> => {
    try {
      const end = await start();
      // Somebody else may have begun meanwhile, or nobody wants it any more.
      if (key === wanted && stop === nothing) stop = end;
      else end();
    } catch {
      fail();
    }
  };
  return (key) => {
    if (key === wanted) return;
    wanted = key;
    stop();
    stop = nothing;
    if (key) void begin(key);
  };
}
