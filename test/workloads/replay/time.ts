/** A time as the API writes it, in seconds. */
export const formatTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
