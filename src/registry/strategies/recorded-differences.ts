/** Recorded answers that are not reproduced, and why. */
export const knownDifferences: ReadonlySet<string> = new Set([]);
