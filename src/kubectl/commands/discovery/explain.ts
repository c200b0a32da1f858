import { type ApiResource, formatGroupVersion, qualifiedResourceName } from '../../api/discovery.ts';
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
  if (output === 'plaintext-openapiv2') {
    const { ExplainOpenApiV2 } = await import('./explain-openapi-v2.ts');
    const missing = (field: string): never => {
      throw new KubectlError(`field ${JSON.stringify(field)} does not exist`);
    };
    call.out(new ExplainOpenApiV2(document, flags.bool('recursive'), resource).output(schema, path, missing));
    return 0;
  }
  call.out(`${formatHeading(resource)}\n`);
  const text = new ExplainText(document, flags.bool('recursive')).output(schema, path);
  if (text === '') throw new KubectlError(`field ${JSON.stringify(path.at(-1))} does not exist`);
  call.out(`${text}\n`);
  return 0;
}

function formatHeading({ group, kind, version }: ApiResource): string {
  return `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n`;
}

/**
 * `pods.spec.containers`, `deployments.apps.spec`: the first of the resources of that name whose name with its group is a prefix, so that
 * those of the core group hide others. Cf. pkg/explain SplitAndParseResourceRequestWithMatchingPrefix.
 */
async function findResource(call: Call, typed: string): Promise<{ resource: ApiResource; path: readonly string[] }> {
  const cluster = await call.cluster();
  if (typed.startsWith('.')) throw new KubectlError('invalid jsonpath syntax, first node must be field node');
  const fieldsOf = (names: string): readonly string[] => names.split('.').filter((one) => one !== '');
  const [name = '', ...path] = fieldsOf(typed);
  const wanted = call.flags.text('api-version');
  if (wanted !== '') {
    const [version = '', group = ''] = wanted.split('/').reverse();
    const base = await cluster.resourceFor(name);
    const served = (await cluster.resources()).filter((one) => one.group === group && one.version === version);
    const found = served.find((one) => one.name === base.name);
    const identifier = `${group}/${version}, Resource=${base.name}`;
    if (!found && served.length > 0) throw new KubectlError(`GVR (${identifier}) not found in OpenAPI schema`);
    if (!found) throw new KubectlError(`couldn't find resource for "${identifier}"`);
    return { resource: found, path };
  }
  const base = await cluster.resourceFor(name, 2);
  const sameName = (await cluster.resources()).filter((one) => one.name === base.name);
  const prefix = sameName.map(qualifiedResourceName).find((one) => typed.startsWith(one));
  if (prefix === undefined) return { resource: base, path };
  return { resource: await cluster.resourceFor(prefix), path: fieldsOf(typed.slice(prefix.length).replace(/^[^.]*/, '')) };
}
