import type { Json } from '../../meta/index.ts';

/** Reads YAML like the API server, or with words like `yes` as strings. Loads the large reader on first use. @throws Error `yaml: line 2: …` */
export async function readYaml(text: string, words?: 'strings'): Promise<Json> {
  const { parseYaml } = await import('./reader.ts');
  return parseYaml(text, words).value;
}

/** Loads the printer on first use. */
export async function loadYamlPrinter(): Promise<(value: Json) => string> {
  const { printYaml } = await import('./printer.ts');
  return printYaml;
}
