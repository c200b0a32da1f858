/** The version of kubectl whose behaviour this is. */
export const clientVersion = 'v1.34.4';
