/** The words after a fence: `yaml file=role.yaml edit`. */
export interface InfoWords {
  readonly language: string;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export function readInfo(info: string): InfoWords {
  const [language = '', ...words] = info.split(/\s+/).filter((word) => word !== '');
  const pairs = words.filter((word) => word.includes('='));
  return {
    language,
    flags: new Set(words.filter((word) => !word.includes('='))),
    values: new Map(pairs.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])),
  };
}

/** The words that each kind of block knows. Blocks of other languages are shown as they are, and know none. */
const known: Readonly<Record<string, { readonly flags: readonly string[]; readonly values: readonly string[] }>> = {
  sh: { flags: ['run'], values: ['as', 'expect'] },
  yaml: { flags: ['edit'], values: ['file'] },
  check: { flags: [], values: [] },
  hint: { flags: [], values: [] },
  solution: { flags: [], values: ['as', 'expect'] },
};

export function unknownWords({ language, flags, values }: InfoWords): readonly string[] {
  const { flags: knownFlags, values: knownValues } = known[language] ?? { flags: [], values: [] };
  return [
    ...[...flags].filter((word) => !knownFlags.includes(word)),
    ...[...values.keys()].filter((word) => !knownValues.includes(word)).map((word) => `${word}=`),
  ];
}
