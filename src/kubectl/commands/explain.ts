import { formatGoValue, type JsonObject } from '../../meta/index.ts';
import { type ApiResource, formatGroupVersion } from '../api/discovery.ts';
import { fetchSchemas, type OpenApiSchemas } from '../api/open-api.ts';
import { bool, int, text } from '../parse/flags.ts';
import type { Call, Command } from '../program/command.ts';
import { KubectlError, NoMatchError, PlainError } from '../program/errors.ts';

export const explain: Command = {
  flags: {
    'api-version': text('', undefined, 'The version to explain'),
    'max-depth': int(0),
    output: text('plaintext', undefined, 'plaintext or plaintext-openapiv2'),
    recursive: bool(false, undefined, 'All fields, without their descriptions'),
  },
  run: runExplain,
};

async function runExplain(call: Call): Promise<number> {
  const { words, flags } = call;
  const [typed] = words;
  if (typed === undefined)
    throw new PlainError(
      'error: You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.\n',
    );
  if (words.length > 1) throw new KubectlError('We accept only this format: explain RESOURCE');
  const output = flags.text('output');
  const { resource, path } = await findResource(call, typed).catch((error: unknown) => {
    throw error instanceof NoMatchError ? new PlainError(error.message) : error;
  });
  if (output !== 'plaintext' && output !== 'plaintext-openapiv2') throw new PlainError(`error: unrecognized format: ${output}\n`);
  const schemas = await fetchSchemas(await call.api(), resource);
  if (!schemas) throw new KubectlError(`couldn't find resource for "${formatGroupVersion(resource)}"`);
  let schema = schemas.schemaOfKind(resource);
  if (!schema) throw new KubectlError(`couldn't find resource for "${resource.group}/${resource.version}, Kind=${resource.kind}"`);
  let field: { name: string; type: string } | undefined;
  for (const name of path) {
    const next = schemas.fieldsOf(schema).get(name);
    if (!next) {
      call.out(`${formatHeading(resource)}\n`);
      throw new KubectlError(`field ${JSON.stringify(name)} does not exist`);
    }
    field = { name, type: schemas.typeOf(next) };
    schema = next;
  }
  const lines = [formatHeading(resource)];
  if (field) lines.push(`FIELD: ${field.name} <${field.type}>`, ...enumLines(schema, '    '), '');
  lines.push('DESCRIPTION:', ...wrapText(schemas.descriptionOf(schema) || '<empty>', 76).map((line) => indentLine(line, 4)), '    ');
  const fields = schemas.fieldsOf(schema);
  if (fields.size > 0)
    lines.push(
      'FIELDS:',
      ...(flags.bool('recursive') ? treeLines(schemas, schema, 1, flags.int('max-depth')) : fieldLines(schemas, schema)),
    );
  call.out(`${lines.join('\n')}\n\n`);
  return 0;
}

function formatHeading({ group, kind, version }: ApiResource): string {
  return `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n`;
}

/** `pods.spec.containers`, `deployments.apps.spec`: the longest prefix that names a resource. */
async function findResource(call: Call, typed: string): Promise<{ resource: ApiResource; path: readonly string[] }> {
  const cluster = await call.cluster();
  const [name = '', ...path] = typed.split('.');
  const wanted = call.flags.text('api-version');
  if (wanted !== '') {
    const [version = '', group = ''] = wanted.split('/').reverse();
    const base = await cluster.resourceFor(name);
    const found = (await cluster.resources()).find((one) => one.name === base.name && one.group === group && one.version === version);
    if (!found) throw new KubectlError(`couldn't find resource for "${group}/${version}, Resource=${base.name}"`);
    return { resource: found, path };
  }
  const groups = new Set((await cluster.resources()).map(({ group }) => group));
  for (let length = path.length; length > 0; length--) {
    const group = path.slice(0, length).join('.');
    if (groups.has(group)) return { resource: await cluster.resourceFor(`${name}.${group}`), path: path.slice(length) };
  }
  return { resource: await cluster.resourceFor(name), path };
}

function enumLines(schema: JsonObject, margin: string): string[] {
  const values = schema['enum'];
  return Array.isArray(values) ? [`${margin}enum: ${values.map(formatGoValue).join(', ')}`] : [];
}

function fieldLines(schemas: OpenApiSchemas, schema: JsonObject): string[] {
  const required = schemas.requiredOf(schema);
  return [...schemas.fieldsOf(schema)].flatMap(([name, field]) => [
    `  ${name}\t<${schemas.typeOf(field)}>${required.includes(name) ? ' -required-' : ''}`,
    ...enumLines(field, '  '),
    ...wrapText(schemas.descriptionOf(field) || '<no description>', 76).map((line) => indentLine(line, 4)),
    '',
  ]);
}

/** A recursive type is expanded once. */
function treeLines(
  schemas: OpenApiSchemas,
  schema: JsonObject,
  level: number,
  maxDepth: number,
  inside: readonly JsonObject[] = [],
): string[] {
  const required = schemas.requiredOf(schema);
  return [...schemas.fieldsOf(schema)].flatMap(([name, field]) => {
    const line = `${'  '.repeat(level)}${name}\t<${schemas.typeOf(field)}>${required.includes(name) ? ' -required-' : ''}`;
    const deeper = maxDepth === 0 || level < maxDepth;
    const isRecursive = inside.some((one) => schemas.typeOf(one) === schemas.typeOf(field) && schemas.typeOf(field) !== 'Object');
    const below = deeper && !isRecursive && level < 20 ? treeLines(schemas, field, level + 1, maxDepth, [...inside, field]) : [];
    return [line, ...enumLines(field, '  '.repeat(level)), ...below];
  });
}

function indentLine(line: string, by: number): string {
  return line === '' ? '' : ' '.repeat(by) + line;
}

/** Wraps words into lines; paragraphs stay separate. */
function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(/\s+/).filter((one) => one !== '')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
