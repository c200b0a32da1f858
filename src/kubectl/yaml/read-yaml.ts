import type { Json } from '../../meta/index.ts';

/** Reads YAML as the real server does. The reader is large and loaded when the first file is read. @throws Error `yaml: line 2: …` */
export async function readYaml(text: string): Promise<Json> {
  const { parseYaml } = await import('./reader.ts');
  return parseYaml(text).value;
}

/** The printer, loaded when it is first wanted. */
export async function loadYamlPrinter(): Promise<(value: Json) => string> {
  const { printYaml } = await import('./printer.ts');
  return printYaml;
}
