import { isJsonObject, type Json, type JsonObject, jsonKind, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { within } from './errors.ts';
import type { FieldSpec } from './field-specs.ts';
import { readJsonOrYamlText } from './go-structs.ts';
import { readSourceText, type SourceFolder } from './source-files.ts';
import { emptyConfig, mergeConfigs, type NameReference, type TransformerConfig } from './transformer-config.ts';

/** `crds`: files of OpenAPI definitions whose extensions list what transformers change. Cf. kustomize accumulator.LoadConfigFromCRDs. @throws KubectlError */
export async function readCrdConfigs(folder: SourceFolder, paths: readonly string[]): Promise<TransformerConfig> {
  let config = emptyConfig;
  for (const path of paths) {
    const text = await readSourceText(folder, path);
    const definitions = await within(`unable to parse open API definition from '${path}'`, async () => parseDefinitions(text));
    config = mergeConfigs(config, configOf(definitions));
  }
  return config;
}

/** Schemas by the name of their type. */
type Definitions = ReadonlyMap<string, JsonObject>;

function parseDefinitions(text: string): Definitions {
  const content = readJsonOrYamlText(text);
  const fail = (value: Json, type: string): never => {
    const problem = `json: cannot unmarshal ${jsonKind(value)} into Go value of type accumulator.${type}`;
    throw new KubectlError(text.startsWith('{') ? problem : `error unmarshaling JSON: while decoding JSON: ${problem}`);
  };
  if (content === null) return new Map();
  if (!isJsonObject(content)) return fail(content, 'nameToApiMap');
  const entries = Object.entries(content).map(([name, definition = null]) => {
    if (definition !== null && !isJsonObject(definition)) return fail(definition, 'OpenAPIDefinition');
    return [name, recordAt(lowerCased(definition ?? {}), 'schema')] as const;
  });
  return new Map(entries);
}

/** Go decodes members in any case. */
function lowerCased(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

function configOf(definitions: Definitions): TransformerConfig {
  const specs = [...definitions].flatMap(([name, schema]) => {
    const properties = recordAt(schema, 'properties');
    const isObject = ['kind', 'apiVersion', 'metadata'].every((member) => properties[member] !== undefined);
    return isObject ? [...new SchemaWalk(definitions, name.split('.').at(-1) ?? name).configs(name, [])] : [];
  });
  return specs.reduce(mergeConfigs, emptyConfig);
}

const extension = (name: string): string => `x-kubernetes-${name}`;

/** Follows the properties of a kind, and the types that they refer to. */
class SchemaWalk {
  readonly #definitions: Definitions;
  readonly #kind: string;

  constructor(definitions: Definitions, kind: string) {
    this.#definitions = definitions;
    this.#kind = kind;
  }

  *configs(type: string, path: readonly string[], visited: readonly string[] = []): Generator<TransformerConfig> {
    const properties = recordAt(this.#definitions.get(type), 'properties');
    for (const [name, property] of Object.entries(properties)) {
      if (!isJsonObject(property)) continue;
      const at = [...path, name];
      yield this.#configOf(property, at);
      const reference = textAt(property, '$ref');
      // Types that contain themselves end the real program.
      if (reference !== '' && !visited.includes(reference)) yield* this.configs(reference, at, [...visited, reference]);
    }
  }

  #configOf(property: JsonObject, path: readonly string[]): TransformerConfig {
    const has = (name: string): boolean => typeof property[extension(name)] === 'string';
    const specs = (isListed: boolean): readonly FieldSpec[] => (isListed ? [this.#spec(path)] : []);
    return {
      ...emptyConfig,
      commonAnnotations: specs(has('annotation')),
      commonLabels: specs(has('label-selector')),
      namePrefix: specs(has('identity')),
      nameReference: has('object-ref-api-version') && has('object-ref-kind') ? [this.#reference(property, path)] : [],
    };
  }

  #reference(property: JsonObject, path: readonly string[]): NameReference {
    const key = property[extension('object-ref-name-key')];
    return {
      group: '',
      version: textAt(property, extension('object-ref-api-version')),
      kind: textAt(property, extension('object-ref-kind')),
      fieldSpecs: [this.#spec([...path, typeof key === 'string' ? key : 'name'])],
    };
  }

  #spec(path: readonly string[]): FieldSpec {
    return { group: '', version: '', kind: this.#kind, path: path.join('/'), create: false };
  }
}
