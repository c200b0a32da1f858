import type { JsonObject } from '../../../meta/index.ts';
import { type ApiResource, formatGroupVersion, qualifiedResourceName } from '../../api/discovery.ts';
import { bool, list, text } from '../../parse/flags.ts';
import { formatPrinter, unknownFormatError } from '../../printers/printer.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError, UnreachableError } from '../../program/errors.ts';

export const apiResources: Command = {
  flags: {
    'api-group': text(),
    cached: bool(),
    categories: list(),
    namespaced: bool(true),
    'no-headers': bool(),
    output: text('', 'o'),
    'show-managed-fields': bool(),
    'sort-by': text(),
    verbs: list(),
  },
  run: runApiResources,
};

async function runApiResources(call: Call): Promise<number> {
  const { flags, words, out } = call;
  if (words.length > 0) throw usageError(call, `unexpected arguments: [${words.join(' ')}]`);
  const output = flags.text('output');
  if (!['', 'wide', 'name', 'json', 'yaml'].includes(output)) throw unknownFormatError(output, ['json', 'name', 'wide', 'yaml']);
  const sort = flags.text('sort-by');
  if (!['', 'name', 'kind'].includes(sort)) throw new KubectlError('--sort-by accepts only name or kind');
  const all = await (await call.cluster()).resources(!flags.bool('cached'), 1);
  const found = all.filter((resource) => matchesFlags(resource, call));
  if (sort === '') found.sort((left, right) => compareText(left.group, right.group) || compareText(left.name, right.name));
  else found.sort((left, right) => compareText(left[sort as 'name' | 'kind'], right[sort as 'name' | 'kind']));
  if (output === 'name') out(found.map((resource) => `${qualifiedResourceName(resource)}\n`).join(''));
  else if (output === 'json' || output === 'yaml') out((await formatPrinter(call, output, true))?.(toResourceList(found)) ?? '');
  else out(formatTable(call, found, output === 'wide'));
  return 0;
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function matchesFlags(resource: ApiResource, { flags }: Call): boolean {
  if (!resource.preferred || resource.verbs.length === 0) return false;
  if (flags.changed('api-group') && flags.text('api-group') !== resource.group) return false;
  if (flags.changed('namespaced') && flags.bool('namespaced') !== resource.namespaced) return false;
  return (
    flags.list('verbs').every((verb) => resource.verbs.includes(verb)) &&
    flags.list('categories').every((one) => resource.categories.includes(one))
  );
}

function formatTable({ flags }: Call, found: readonly ApiResource[], wide: boolean): string {
  const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(wide ? ['VERBS', 'CATEGORIES'] : [])];
  const lines = found.map((resource) => [
    resource.name,
    resource.shortNames.join(','),
    formatGroupVersion(resource),
    String(resource.namespaced),
    resource.kind,
    ...(wide ? [resource.verbs.join(','), resource.categories.join(',')] : []),
  ]);
  return alignColumns(flags.bool('no-headers') ? lines : [header, ...lines]);
}

function toResourceList(found: readonly ApiResource[]): JsonObject {
  const resources = found.map(({ name, singular, namespaced, group, version, kind, verbs, shortNames, categories }) => ({
    name,
    singularName: singular,
    namespaced,
    ...(group === '' ? {} : { group }),
    version,
    kind,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources: resources.length > 0 ? resources : null };
}

export const apiVersions: Command = {
  async run(call) {
    if (call.words.length > 0) throw usageError(call, `unexpected arguments: [${call.words.join(' ')}]`);
    const all = await (await call.cluster()).resources(true, 1).catch((error: unknown) => {
      throw error instanceof UnreachableError
        ? new KubectlError(`couldn't get available api versions from server: ${error.message}`)
        : error;
    });
    const versions = [...new Set(all.map(formatGroupVersion))].sort(compareText);
    call.out(versions.map((version) => `${version}\n`).join(''));
    return 0;
  },
};
