import { type FieldError, forbiddenField, invalid, required } from '../../meta/index.ts';
import { compilePattern, PatternError } from '../../regexp/index.ts';
import type { SchemaNode } from './schema-node.ts';
import { validateCompleteness } from './validate-completeness.ts';

type Errors = readonly FieldError[];
type Level = 'root' | 'item' | 'field';

/** Returns why a schema is not structural; errors are sorted by text. Cf. upstream schema ValidateStructural. */
export function validateStructural(node: SchemaNode, path: string, prefix: string): Errors {
  const errors = [...new Structure(prefix).node(node, 'root', path), ...validateCompleteness(node, path)];
  return errors.sort((a, b) => (errorText(a) < errorText(b) ? -1 : 1));
}

function errorText({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

const typeNeeded: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

class Structure {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  node(node: SchemaNode, level: Level, path: string): Errors {
    const { items, additional, properties } = node;
    if (node.isPlain && level === 'field' && node.type !== '' && node.type !== 'array') return [];
    return [
      ...(node.type === 'array' && !items ? [required(`${path}.items`, 'must be specified')] : []),
      ...(items ? this.node(items, 'item', `${path}.items`) : []),
      ...[...properties].flatMap(([name, one]) => this.node(one, 'field', `${path}.properties[${name}]`)),
      ...(additional !== undefined && level === 'root'
        ? [forbiddenField(`${path}.additionalProperties`, 'must not be used at the root')]
        : []),
      ...(typeof additional === 'object' ? this.node(additional, 'field', `${path}.additionalProperties`) : []),
      ...this.#extensions(node, path),
      ...this.#values(node, path, isIntOrStringAnyOf(node.anyOf), isIntOrStringAnyOf(node.allOf[0]?.anyOf ?? [])),
      ...this.#type(node, level, path),
      ...this.#metaMembers(node, level, path),
      ...(node.embedded && !node.preservesUnknown && properties.size === 0
        ? [
            required(
              `${path}.properties`,
              this.#withExtensionNames('must not be empty if x-embedded-resource is true without x-preserve-unknown-fields'),
            ),
          ]
        : []),
    ];
  }

  /** Replaces `x-…` by the product's extension name. */
  #withExtensionNames(text: string): string {
    return text.replace(/\bx-/g, this.#prefix);
  }

  #extensions({ intOrString, preservesUnknown, embedded }: SchemaNode, path: string): Errors {
    if (!intOrString) return [];
    const why = this.#withExtensionNames('must be false if x-int-or-string is true');
    return [
      ...(preservesUnknown ? [invalid(`${path}.${this.#prefix}preserve-unknown-fields`, true, why)] : []),
      ...(embedded ? [invalid(`${path}.${this.#prefix}embedded-resource`, true, why)] : []),
    ];
  }

  #type(node: SchemaNode, level: Level, path: string): Errors {
    const { type, embedded, intOrString, preservesUnknown, additional } = node;
    const errors: FieldError[] = [];
    if (embedded && type !== 'object') {
      const why = this.#withExtensionNames('must be object if x-embedded-resource is true');
      errors.push(type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why));
    } else if (type === '' && !intOrString && !preservesUnknown) errors.push(required(`${path}.type`, typeNeeded[level]));
    if (embedded && additional !== undefined) {
      errors.push(
        forbiddenField(`${path}.additionalProperties`, this.#withExtensionNames('must not be used if x-embedded-resource is set')),
      );
    }
    if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
    return errors;
  }

  /** Members that every object has may hardly be restricted. */
  #metaMembers({ properties, embedded }: SchemaNode, level: Level, path: string): Errors {
    const isObject = level === 'root' || embedded;
    const texts = ['kind', 'apiVersion'].flatMap((name) => {
      const one = properties.get(name);
      return one && isObject && one.type !== 'string' ? [invalid(`${path}.properties[${name}].type`, one.type, 'must be string')] : [];
    });
    const metadata = properties.get('metadata');
    const at = `${path}.properties[metadata]`;
    if (!metadata) return texts;
    return [
      ...texts,
      ...(isObject && metadata.type !== 'object' ? [invalid(`${at}.type`, metadata.type, 'must be object')] : []),
      ...(level === 'root' && hasForbiddenRestrictions(metadata)
        ? [forbiddenField(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified')]
        : []),
    ];
  }

  /** Value validations; inside of a combination only these are allowed. */
  #values(node: SchemaNode, path: string, skipsAnyOf: boolean, skipsFirstAnyOf: boolean): Errors {
    const { anyOf, allOf, oneOf, not, pattern } = node;
    const problem = pattern === '' ? undefined : patternProblem(pattern);
    return [
      ...(skipsAnyOf ? [] : anyOf.flatMap((one, at) => this.#nested(one, `${path}.anyOf[${at}]`))),
      ...allOf.flatMap((one, at) => this.#nested(one, `${path}.allOf[${at}]`, skipsFirstAnyOf && at === 0)),
      ...oneOf.flatMap((one, at) => this.#nested(one, `${path}.oneOf[${at}]`)),
      ...(not ? this.#nested(not, `${path}.not`) : []),
      ...(problem === undefined ? [] : [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)]),
    ];
  }

  #nested(node: SchemaNode, path: string, skipsAnyOf = false): Errors {
    const { items, properties, additional } = node;
    const more = additional !== undefined && additional !== false;
    return [
      ...this.#values(node, path, skipsAnyOf, false),
      ...(items ? this.#nested(items, `${path}.items`) : []),
      ...[...properties].flatMap(([name, one]) => this.#nested(one, `${path}.properties[${name}]`)),
      ...(node.type === '' ? [] : [forbiddenField(`${path}.type`, 'must be empty to be structural')]),
      ...(more ? [forbiddenField(`${path}.additionalProperties`, 'must be undefined to be structural')] : []),
      ...this.#plainMembers(node, path),
      ...(properties.has('metadata') ? [forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context')] : []),
    ];
  }

  #plainMembers(node: SchemaNode, path: string): Errors {
    const { title, description } = node.source;
    const x = (name: string): string => `${this.#prefix}${name}`;
    const rules: readonly (readonly [given: boolean, member: string, must: string])[] = [
      [node.default !== undefined, 'default', 'undefined'],
      [typeof title === 'string' && title !== '', 'title', 'empty'],
      [typeof description === 'string' && description !== '', 'description', 'empty'],
      [node.nullable, 'nullable', 'false'],
      [node.preservesUnknown, x('preserve-unknown-fields'), 'false'],
      [node.embedded, x('embedded-resource'), 'false'],
      [node.intOrString, x('int-or-string'), 'false'],
      [node.listMapKeys.length > 0, x('list-map-keys'), 'empty'],
      [node.listType !== undefined, x('list-type'), 'undefined'],
      [node.mapType !== undefined, x('map-type'), 'undefined'],
      [node.rules.length > 0, x('validations'), 'empty'],
    ];
    return rules.flatMap(([given, member, must]) =>
      given ? [forbiddenField(`${path}.${member}`, `must be ${must} to be structural`)] : [],
    );
  }
}

/** `anyOf` of an integer and a string, the alternative form of int-or-string. */
function isIntOrStringAnyOf(anyOf: readonly SchemaNode[]): boolean {
  const [first, second] = anyOf.map(({ source: written }) => JSON.stringify(written));
  return anyOf.length === 2 && first === '{"type":"integer"}' && second === '{"type":"string"}';
}

/** The schema of metadata may only have names, a type and a default. */
function hasForbiddenRestrictions({ source: written, properties }: SchemaNode): boolean {
  const onlyNames = properties.size > 0 && [...properties.keys()].every((name) => name === 'name' || name === 'generateName');
  return Object.keys(written).some(
    (name) => name !== 'type' && name !== 'default' && !(name === 'properties' && (onlyNames || properties.size === 0)),
  );
}

/** Why Go's regexp rejects a pattern; undefined when it is valid. */
function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
