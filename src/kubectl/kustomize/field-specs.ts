import { isJsonObject, type Json, type JsonObject, objectsAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { printYaml } from '../yaml/printer.ts';
import { withContext } from './errors.ts';
import { formatId, type Gvk, idOf, isSelected, selectorId } from './resource-id.ts';

/** Where a transformer changes objects of a kind. */
export type FieldSpec = Partial<Gvk> & {
  /** Members separated by slashes; lists on the way are descended into. `name[]` is a list, which is not created. */
  readonly path: string;
  /** Whether missing members are created. */
  readonly create?: boolean;
};

/** The specs that the configuration of a plugin has. */
export function fieldSpecsAt(config: JsonObject, member = 'fieldSpecs'): readonly FieldSpec[] {
  return objectsAt(config, member).map((spec) => ({ ...selectorId(spec), path: textAt(spec, 'path'), create: spec['create'] === true }));
}

/** What is created where the last member of a path is missing. */
export type CreatedKind = 'scalar' | 'mapping';

export type ChangeValue = (value: Json) => Json;

/** Applies the specs that select the object, in order. @throws KubectlError */
export function updateFields(object: JsonObject, specs: readonly FieldSpec[], change: ChangeValue, created?: CreatedKind): JsonObject {
  return specs.reduce((result, spec) => (isSelected(idOf(result), spec) ? updateField(result, spec, change, created) : result), object);
}

/** Changes the values at the path of a spec. Cf. kustomize filters/fieldspec. @throws KubectlError */
export function updateField(object: JsonObject, spec: FieldSpec, change: ChangeValue, created?: CreatedKind): JsonObject {
  try {
    return update(object, splitPath(spec.path), { change, created: spec.create === true ? created : undefined }) as JsonObject;
  } catch (error) {
    throw withContext(error, `considering field '${spec.path}' of object ${formatId(idOf(object))}`);
  }
}

interface Update {
  readonly change: ChangeValue;
  readonly created: CreatedKind | undefined;
}

/** A slash of a name is escaped, and one at the start does not count. */
function splitPath(path: string): readonly string[] {
  return path
    .replace(/^\//, '')
    .split(/(?<!\\)\//)
    .map((part) => part.replaceAll('\\/', '/'));
}

function update(value: Json, path: readonly string[], parts: Update): Json {
  const [first, ...rest] = path;
  if (first === undefined) return parts.change(value);
  if (value === null) return value;
  if (Array.isArray(value)) return updateItems(value, path, parts);
  if (!isJsonObject(value)) throw new KubectlError('expected sequence or mapping node');
  const name = first.replace(/\[\]$/, '');
  if (name === '') throw new KubectlError('cannot set or create an empty field name');
  const creates = parts.created !== undefined && name === first;
  const member = value[name] ?? (creates ? (rest.length > 0 || parts.created === 'mapping' ? {} : null) : undefined);
  return member === undefined ? value : { ...value, [name]: update(member, rest, parts) };
}

function updateItems(list: readonly Json[], path: readonly string[], parts: Update): Json {
  try {
    return list.map((item) => update(item, path, parts));
  } catch (error) {
    throw withContext(error, `visit traversal on path: [${path.join(' ')}]`);
  }
}

export function isScalar(value: Json): value is Exclude<Json, null | readonly Json[] | JsonObject> {
  return value !== null && typeof value !== 'object';
}

/** The text of a node as YAML has it: mappings and lists have none. */
export function nodeText(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

type NodeKind = CreatedKind | 'sequence';

export function kindOf(value: Json): NodeKind {
  if (Array.isArray(value)) return 'sequence';
  return isJsonObject(value) ? 'mapping' : 'scalar';
}

/** @throws KubectlError for a value of another kind; null has none */
export function requireKind(value: Json, kind: NodeKind): void {
  const found = kindOf(value);
  if (value === null || found === kind) return;
  throw new KubectlError(`wrong node kind: expected ${nodeName(kind)} but got ${nodeName(found)}: node contents:\n${printYaml(value)}`);
}

/** `ScalarNode`. */
function nodeName(kind: NodeKind): string {
  return `${kind.replace(/^./, (letter) => letter.toUpperCase())}Node`;
}
