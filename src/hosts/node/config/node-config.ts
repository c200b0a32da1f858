import { type NodeConfig, numberedNodes } from '../../../cluster/index.ts';
import { parseYaml, YamlSyntaxError } from '../../../codec/index.ts';
import { isDns1123Subdomain, isJsonObject, isQuantity, type Json, type JsonObject, recordAt, textAt } from '../../../meta/index.ts';
import { FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

/** The nodes of `--node-config`, else those of `--nodes`. @throws FlagError */
export async function loadNodes(path: string, count: number): Promise<readonly NodeConfig[]> {
  return path === '' ? numberedNodes(count) : readNodeConfig(await readNamedFile(path), path);
}

/** Reads Node objects in YAML or JSON: name, labels, annotations, `spec.taints`, `status.capacity` and `status.runtimeHandlers`. @throws FlagError */
export function readNodeConfig(text: string, path: string): readonly NodeConfig[] {
  const configs = documentsOf(text, path)
    .flatMap(itemsOf)
    .map((node) => nodeOf(node, path));
  const names = configs.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new FlagError(`--node-config ${path}: node ${repeated} exists twice`);
  return configs;
}

function documentsOf(text: string, path: string): readonly Json[] {
  try {
    const documents = text.split(/^---[ \t]*$/m).map((part) => parseYaml(part).value);
    // An empty document, or one of comments only, is null.
    return documents.filter((document) => document !== null);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new FlagError(`--node-config ${path}: ${error.message}`);
    throw error;
  }
}

const itemsOf = (document: Json): readonly Json[] =>
  isJsonObject(document) && Array.isArray(document['items']) ? document['items'] : [document];

function nodeOf(node: Json, path: string): NodeConfig {
  const object: JsonObject = isJsonObject(node) ? node : {};
  const metadata = recordAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  if (textAt(object, 'kind') !== 'Node') throw new FlagError(`--node-config ${path}: only objects of kind Node are expected`);
  if (name === '' || !isDns1123Subdomain(name))
    throw new FlagError(`--node-config ${path}: ${JSON.stringify(name)} is not the name of a node`);
  const capacity = textsOf(recordAt(recordAt(object, 'status'), 'capacity'));
  const wrong = Object.entries(capacity).find(([, amount]) => !isQuantity(amount));
  if (wrong) throw new FlagError(`--node-config ${path}: capacity ${wrong[0]} of node ${name} is not a quantity`);
  const taints = recordAt(object, 'spec')['taints'];
  const handlers = recordAt(object, 'status')['runtimeHandlers'];
  return {
    name,
    labels: textsOf(recordAt(metadata, 'labels')),
    annotations: textsOf(recordAt(metadata, 'annotations')),
    taints: Array.isArray(taints) ? taints.filter(isJsonObject).map(taintOf) : [],
    capacity,
    ...(Array.isArray(handlers)
      ? {
          runtimeHandlers: handlers
            .filter(isJsonObject)
            .map((one) => textAt(one, 'name'))
            .filter((handler) => handler !== ''),
        }
      : {}),
  };
}

const textsOf = (record: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));

const taintOf = (taint: JsonObject): { readonly key: string; readonly value: string; readonly effect: string } => ({
  key: textAt(taint, 'key'),
  value: textAt(taint, 'value'),
  effect: textAt(taint, 'effect'),
});
