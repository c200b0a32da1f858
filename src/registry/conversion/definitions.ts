import { type ApiObject, isJsonObject, type Json, type JsonObject, objectsAt, recordAt, sameJson } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';

/**
 * Definitions in other servers' stores are of version v1beta1, as the real server keeps them, because it is shorter: what all versions
 * share stands once, beside them, and not in them. Here they are named so as well, but have v1's members, which all requests have.
 */
const shared = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** What a shared member is called beside the versions. */
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
