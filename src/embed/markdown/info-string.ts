/** The parsed info string of a fenced block. */
export interface InfoString {
  readonly language: string;
  /** Words without a value, such as `tabplane`, and classes. */
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

const word = /([^\s,{}="']+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s,{}"']*)))?/g;

/**
 * Parses the info string in the syntaxes of common generators:
 *
 *     yaml tabplane cluster=shop expect="shop created"     CommonMark, VitePress, Docusaurus, Starlight
 *     yaml,tabplane,cluster=shop                           mdBook
 *     yaml {.tabplane cluster=shop}                        Hugo
 *     {.yaml .tabplane cluster=shop}                       Python-Markdown
 */
export function parseInfoString(info: string): InfoString {
  const words = [...info.matchAll(word)].map(([, name = '', ...values]) => ({
    name: name.replace(/^\./, ''),
    value: values.find((value) => value !== undefined),
  }));
  const [first, ...others] = words;
  return {
    language: first?.value === undefined ? (first?.name ?? '') : '',
    flags: new Set(others.filter(({ value }) => value === undefined).map(({ name }) => name)),
    values: new Map(others.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))),
  };
}
