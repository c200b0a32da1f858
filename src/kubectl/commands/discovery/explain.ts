import { type ApiResource, formatGroupVersion } from '../../api/discovery.ts';
import { fetchDocument, OpenApiSchemas } from '../../api/open-api.ts';
import { bool, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, NoMatchError, PlainError } from '../../program/errors.ts';
import { ExplainText } from './explain-text.ts';

export const explain: Command = {
  flags: {
    'api-version': text(),
    output: text('plaintext', 'o'),
    recursive: bool(),
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
  const document = await fetchDocument(await call.api(), resource);
  if (!document) throw new KubectlError(`couldn't find resource for "${formatGroupVersion(resource)}"`);
  const schema = new OpenApiSchemas(document).schemaOfKind(resource);
  if (!schema) throw new KubectlError(`couldn't find resource for "${resource.group}/${resource.version}, Kind=${resource.kind}"`);
  call.out(`${formatHeading(resource)}\n`);
  const text = new ExplainText(document, flags.bool('recursive')).output(schema, path);
  if (text === '') throw new KubectlError(`field ${JSON.stringify(path.at(-1))} does not exist`);
  call.out(`${text}\n`);
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
