/** The parsed info string of a fenced block: `yaml file=role.yaml edit`. */
export interface InfoString {
  readonly language: string;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export function parseInfoString(info: string): InfoString {
  const [language = '', ...words] = info.split(/\s+/).filter((word) => word !== '');
  const pairs = words.filter((word) => word.includes('='));
  return {
    language,
    flags: new Set(words.filter((word) => !word.includes('='))),
    values: new Map(pairs.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])),
  };
}

/** The valid options by language. Blocks of other languages are rendered as they are and have none. */
const validOptions: Readonly<Record<string, { readonly flags: readonly string[]; readonly values: readonly string[] }>> = {
  sh: { flags: ['run'], values: ['as', 'expect'] },
  yaml: { flags: ['edit'], values: ['file'] },
  check: { flags: [], values: [] },
  hint: { flags: [], values: [] },
  solution: { flags: [], values: ['as', 'expect'] },
};

export function findUnknownOptions({ language, flags, values }: InfoString): readonly string[] {
  const { flags: knownFlags, values: knownValues } = validOptions[language] ?? { flags: [], values: [] };
  return [
    ...[...flags].filter((word) => !knownFlags.includes(word)),
    ...[...values.keys()].filter((word) => !knownValues.includes(word)).map((word) => `${word}=`),
  ];
}
