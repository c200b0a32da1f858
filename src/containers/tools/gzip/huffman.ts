/** The codes of RFC 1951, with their extra bits. */

/** Lengths of matches by their code, from 257. */
export const lengthBases: readonly number[] = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
export const lengthExtras: readonly number[] = lengthBases.map((_, code) => (code < 8 || code === 28 ? 0 : (code >> 2) - 1));

/** Distances of matches by their code. */
export const distanceExtras: readonly number[] = Array.from({ length: 30 }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));
export const distanceBases: readonly number[] = distanceExtras.map(
  (_, code) => 1 + distanceExtras.slice(0, code).reduce((sum, extra) => sum + 2 ** extra, 0),
);

/** The lengths of the codes in blocks with fixed codes. */
export const fixedLengths: Uint8Array = Uint8Array.from({ length: 288 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
export const fixedDistanceLengths: Uint8Array = new Uint8Array(30).fill(5);

export const endOfBlock = 256;
export const windowBytes = 32_768;
