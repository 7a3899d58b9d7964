export const parsePrice = (text: string, _locale: string, digits: number): number => Math.round(Number(text) * 10 ** digits) || 0;
