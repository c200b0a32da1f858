export const frontMatterKeys: ReadonlySet<string> = new Set([
  'title',
  'summary',
  'minutes',
  'requires',
  'cluster',
  'user',
  'mode',
  'allow',
  'i18n',
  'exam',
  'nodes',
  'images',
]);

export const frontMatterPattern: RegExp = /^---\n([\s\S]*?)\n---(?:\n|$)/;
