import type { NameRule } from './names.ts';

/** Names that only have to fit into a URL path: RBAC objects. */
export const isPathSegmentName: NameRule = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return isPathSegmentPrefix(value);
};

export const isPathSegmentPrefix: NameRule = (value) =>
  ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
