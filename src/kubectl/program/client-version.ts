/** The emulated version of kubectl. */
export const clientVersion = 'v1.34.4';
