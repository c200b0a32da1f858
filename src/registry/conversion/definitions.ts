import { type ApiObject, isJsonObject, type Json, type JsonObject, objectsAt, recordAt, sameJson } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';

/**
 * kube-apiserver stores definitions in version v1beta1 because it is shorter: members that all versions share are at the top of the
 * spec instead of in each version. Here stored definitions have the same apiVersion, but v1's members, which all requests use.
 */
const shared = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** The name of a shared member at the top of the spec. */
const sharedName = (name: string): string => (name === 'schema' ? 'validation' : name);

export function definitionFromStore(object: ApiObject): ApiObject {
  if (object.kind !== 'CustomResourceDefinition') return object;
  if (object.apiVersion.endsWith('/v1')) return { ...object, apiVersion: `${object.apiVersion}beta1` };
  const spec = recordAt(object, 'spec');
  const { group, version, names, scope, conversion, preserveUnknownFields } = spec;
  const listed = objectsAt(spec, 'versions');
  const all = listed.length > 0 ? listed : [{ name: version ?? '', served: true, storage: true }];
  const own = all.map((each) => {
    const whole = Object.fromEntries(shared.map((name) => [name, spec[sharedName(name)] ?? each[name]]));
    return renameColumnPaths(withMembers(each, whole), 'JSONPath', 'jsonPath');
  });
  return {
    ...object,
    spec: withMembers(
      {},
      {
        group,
        names,
        scope,
        versions: own,
        conversion: isJsonObject(conversion) ? nestWebhook(conversion) : undefined,
        preserveUnknownFields: preserveUnknownFields === true ? true : undefined,
      },
    ),
  };
}

export function definitionForStore(object: ApiObject): ApiObject {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const spec = recordAt(object, 'spec');
  const { group, names, scope, conversion, preserveUnknownFields } = spec;
  const all = objectsAt(spec, 'versions').map((each) => renameColumnPaths(each, 'jsonPath', 'JSONPath'));
  const [first] = all;
  const once = first ? shared.filter((name) => all.every((each) => sameJson(each[name] ?? null, first[name] ?? null))) : [];
  const beside = Object.fromEntries(once.map((name) => [sharedName(name), first?.[name]]));
  return {
    ...object,
    spec: withMembers(
      {},
      {
        group,
        version: first?.['name'],
        names,
        scope,
        validation: beside['validation'],
        subresources: beside['subresources'],
        versions: all.map((each) => withMembers(each, Object.fromEntries(once.map((name) => [name, undefined])))),
        additionalPrinterColumns: beside['additionalPrinterColumns'],
        selectableFields: beside['selectableFields'],
        conversion: isJsonObject(conversion) ? flattenWebhook(conversion) : undefined,
        preserveUnknownFields: preserveUnknownFields === true,
      },
    ),
  };
}

function nestWebhook({ strategy, webhookClientConfig: clientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  const hasWebhook = clientConfig !== undefined || conversionReviewVersions !== undefined;
  return withMembers({}, { strategy, webhook: hasWebhook ? withMembers({}, { clientConfig, conversionReviewVersions }) : undefined });
}

function flattenWebhook({ strategy, webhook }: JsonObject): JsonObject {
  const { clientConfig, conversionReviewVersions } = isJsonObject(webhook) ? webhook : {};
  return withMembers({}, { strategy, webhookClientConfig: clientConfig, conversionReviewVersions });
}

function renameColumnPaths(version: JsonObject, before: string, after: string): JsonObject {
  const columns = version['additionalPrinterColumns'];
  if (!Array.isArray(columns)) return version;
  const renamed = columns.map((column: Json) => {
    if (!isJsonObject(column) || column[before] === undefined) return column;
    const { [before]: path, ...others } = column;
    return { ...others, [after]: path };
  });
  return { ...version, additionalPrinterColumns: renamed };
}
