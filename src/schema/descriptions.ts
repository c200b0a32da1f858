import type { Product } from '../meta/index.ts';

/** Texts by API group (`core`), type (`Pod`, or `v1beta1.Device` for one version) and field; the empty field is the type itself. */
export type DescriptionData = Readonly<Record<string, Readonly<Record<string, TypeDescriptions>>>>;

/** The member `like` is no field: it is the name of a type whose texts apply to fields without one. */
export type TypeDescriptions = Readonly<Record<string, string>>;

/** Describes a type of the catalog (`core/v1.Pod`, `Quantity`) or one of its fields; undefined when there is no description. */
export type DescribeType = (type: string, field?: string) => string | undefined;

/** Describes a column in tables of a kind; columns of other kinds with the same name may share the text. */
export type DescribeColumn = (kind: string, column: string) => string;

/** Loads the built-in descriptions: a large file, which only OpenAPI documents and tables need. */
export async function loadDescriptions(): Promise<DescriptionData> {
  return (await import('./description-data.ts')).descriptionData;
}

/** Group of the columns: texts by kind and column; those of the empty kind apply to all others. */
const columns = 'columns';
/** Group of the texts that apply to fields of all types. */
const common = 'common';
/** Group of the types with a JSON form of their own. */
const special = 'special';

export function createDescribeType(data: DescriptionData, product: Product): DescribeType {
  // The names of fields as well: x-kubernetes-int-or-string.
  const renamed: DescriptionData = JSON.parse(product.rename(JSON.stringify(data)));
  const find = (group: string, type: string, field: string): string | undefined => {
    const texts = ownValue(ownValue(renamed, group), type);
    if (texts === undefined) return undefined;
    const like = ownValue(texts, 'like');
    return ownValue(texts, field) ?? (like === undefined ? undefined : find(group, like, field));
  };
  return (type, field = '') => {
    const { group, version, name } = splitType(type);
    return find(group, `${version}.${name}`, field) ?? find(group, name, field) ?? describeCommon(name, field, find);
  };
}

export function createDescribeColumn(data: DescriptionData, product: Product): DescribeColumn {
  const texts = ownValue(data, columns);
  const find = (kind: string, column: string): string | undefined => ownValue(ownValue(texts, kind), column);
  return (kind, column) => product.rename(find(kind, column) ?? find('', column) ?? '');
}

function describeCommon(
  name: string,
  field: string,
  find: (group: string, type: string, field: string) => string | undefined,
): string | undefined {
  const kind = /^(.+)List$/.exec(name)?.[1];
  if (field === '') return kind === undefined ? undefined : `${name} is a list of ${kind} objects.`;
  return (kind === undefined ? undefined : find(common, 'List', field)) ?? find(common, '', field);
}

function splitType(type: string): { readonly group: string; readonly version: string; readonly name: string } {
  const [, group = special, version = '', name = type] = /^([^/]+)\/([^.]+)\.(.+)$/.exec(type) ?? [];
  return { group, version, name };
}

function ownValue<T>(from: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return from && Object.hasOwn(from, name) ? from[name] : undefined;
}
