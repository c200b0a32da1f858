import { type FieldError, invalid, isDns1035Label, isDns1123Subdomain, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, immutable, none, oneOf, requiredOneOf } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { booleanAt, numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../reading.ts';
import { metadataUpdate } from '../revalidated.ts';
import { definitionSchema } from './definition-schema.ts';
import { clientConfig } from './webhooks.ts';

/** Cf. upstream apiextensions-apiserver validation; rules of schemas in CEL are compiled where the language is known. */
export function definitionValidators(context: ValidationContext): KindValidators {
  const validate = (object: JsonObject): Errors => [
    ...definitionSpec(recordAt(object, 'spec')),
    ...storedVersions(object),
    ...approval(object, context),
    ...(booleanAt(recordAt(object, 'spec'), 'preserveUnknownFields') === true
      ? [invalid('spec.preserveUnknownFields', true, preserve)]
      : none),
  ];
  return {
    'apiextensions.CustomResourceDefinition': {
      create: validate,
      update: (next, old) => [
        ...metadataUpdate(next, old),
        ...definitionSpec(recordAt(next, 'spec')),
        ...fixed(next, old),
        ...storedVersions(next),
      ],
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...storedVersions(next)],
    },
  };
}

const preserve = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

/** What the URL and the store are made of never changes; the rest once the names are accepted. */
function fixed(next: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const established = objectsAt(recordAt(old, 'status'), 'conditions').some(
    (one) => one['type'] === 'Established' && one['status'] === 'True',
  );
  const [names, was] = [recordAt(spec, 'names'), recordAt(before, 'names')];
  return [
    ...(established
      ? [...immutable(spec['scope'], before['scope'], 'spec.scope'), ...immutable(names['kind'], was['kind'], 'spec.names.kind')]
      : none),
    ...immutable(spec['group'], before['group'], 'spec.group'),
    ...immutable(names['plural'], was['plural'], 'spec.names.plural'),
  ];
}

function definitionSpec(spec: JsonObject): Errors {
  const versions = objectsAt(spec, 'versions');
  const stored = versions.filter((version) => version['storage'] === true).length;
  const unique = new Set(versions.map((version) => textAt(version, 'name'))).size === versions.length;
  return [
    ...groupName(textAt(spec, 'group')),
    ...requiredOneOf(textAt(spec, 'scope'), ['Cluster', 'Namespaced'], 'spec.scope'),
    ...versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`)),
    ...(unique ? none : [invalid('spec.versions', versions, 'must contain unique version names')]),
    ...(stored === 1 ? none : [invalid('spec.versions', versions, 'must have exactly one version marked as storage version')]),
    ...neededNames(recordAt(spec, 'names')),
    ...names(recordAt(spec, 'names'), 'spec.names'),
    ...schemas(versions),
    ...conversion(recordAt(spec, 'conversion')),
  ];
}

function groupName(group: string): Errors {
  if (group === '') return [required('spec.group', '')];
  const wrong = isDns1123Subdomain(group);
  if (wrong.length > 0) return [invalid('spec.group', group, wrong.join(','))];
  return group.includes('.') ? none : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function versionErrors(version: JsonObject, path: string): Errors {
  const name = textAt(version, 'name');
  const wrong = isDns1035Label(name);
  const schema = optionalRecordAt(recordAt(version, 'schema'), 'openAPIV3Schema');
  const warning = optionalTextAt(version, 'deprecationWarning');
  return [
    ...(schema ? none : [required(`${path}.schema.openAPIV3Schema`, '')]),
    ...(wrong.length > 0 ? [invalid(`${path}.name`, name, wrong.join(','))] : none),
    ...(warning !== undefined && version['deprecated'] !== true
      ? [invalid(`${path}.deprecationWarning`, warning, 'can only be set for deprecated versions')]
      : none),
  ];
}

function neededNames(given: JsonObject): Errors {
  return ['plural', 'singular', 'kind', 'listKind'].flatMap((field) =>
    textAt(given, field) === '' ? [required(`spec.names.${field}`, '')] : none,
  );
}

function names(given: JsonObject, path: string): Errors {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular']) {
    const wrong = textAt(given, field) === '' ? [] : isDns1035Label(textAt(given, field));
    if (wrong.length > 0) errors.push(invalid(`${path}.${field}`, textAt(given, field), wrong.join(',')));
  }
  for (const field of ['kind', 'listKind']) {
    const wrong = textAt(given, field) === '' ? [] : isDns1035Label(textAt(given, field).toLowerCase());
    const why = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
    if (wrong.length > 0) errors.push(invalid(`${path}.${field}`, textAt(given, field), why));
  }
  for (const field of ['shortNames', 'categories']) {
    for (const [index, name] of textsAt(given, field).entries()) {
      const wrong = isDns1035Label(name);
      if (wrong.length > 0) errors.push(invalid(`${path}.${field}[${index}]`, name, wrong.join(',')));
    }
  }
  const kind = textAt(given, 'kind');
  if (kind !== '' && kind === textAt(given, 'listKind'))
    errors.push(invalid(`${path}.listKind`, kind, 'kind and listKind may not be the same'));
  return errors;
}

/** What all versions share upstream moves to the top, also when there is only one. */
function schemas(versions: readonly JsonObject[]): Errors {
  const shared = (field: string): boolean =>
    versions.every((version) => JSON.stringify(version[field]) === JSON.stringify(versions[0]?.[field]));
  const listed = (field: string): readonly JsonObject[] => (shared(field) ? versions.slice(0, 1) : versions);
  return [
    ...listed('schema').flatMap((version, index) => {
      const schema = optionalRecordAt(recordAt(version, 'schema'), 'openAPIV3Schema');
      const path = shared('schema') ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
      return schema ? definitionSchema(schema, path) : none;
    }),
    ...listed('subresources').flatMap((version, index) => {
      const scale = optionalRecordAt(recordAt(version, 'subresources'), 'scale');
      const path = shared('subresources') ? 'spec.subresources.scale' : `spec.versions[${index}].subresources.scale`;
      return scale ? scalePaths(scale, path) : none;
    }),
    ...listed('additionalPrinterColumns').flatMap((version, index) =>
      objectsAt(version, 'additionalPrinterColumns').flatMap((column, number) => {
        const base = shared('additionalPrinterColumns')
          ? 'spec.additionalPrinterColumns'
          : `spec.versions[${index}].additionalPrinterColumns`;
        return printerColumn(column, `${base}[${number}]`);
      }),
    ),
  ];
}

const simplePath = /^(?:\.[^.[\]]+|\['[^']*'\])+$/;

function scalePaths(scale: JsonObject, path: string): Errors {
  const errors: FieldError[] = [];
  for (const [field, root, needed] of [
    ['specReplicasPath', '.spec', true],
    ['statusReplicasPath', '.status', true],
    ['labelSelectorPath', '.status', false],
  ] as const) {
    const given = textAt(scale, field);
    if (given === '') {
      if (needed) errors.push(required(`${path}.${field}`, ''));
      continue;
    }
    if (!simplePath.test(given)) errors.push(invalid(`${path}.${field}`, given, 'must be a simple json path starting with .'));
    else if (field === 'labelSelectorPath' ? !/^\.(?:spec|status)\./.test(given) : !given.startsWith(`${root}.`)) {
      const where =
        field === 'labelSelectorPath' ? 'should be a json path under either .spec or .status' : `should be a json path under ${root}`;
      errors.push(invalid(`${path}.${field}`, given, where));
    }
  }
  return errors;
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function printerColumn(column: JsonObject, path: string): Errors {
  const type = textAt(column, 'type');
  return [
    ...(textAt(column, 'name') === '' ? [required(`${path}.name`, '')] : none),
    ...(type === ''
      ? [required(`${path}.type`, `must be one of ${columnTypes.join(',')}`)]
      : columnTypes.includes(type)
        ? none
        : [invalid(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`)]),
    ...(textAt(column, 'jsonPath') === '' ? [required(`${path}.JSONPath`, '')] : none),
    ...((numberAt(column, 'priority') ?? 0) < 0
      ? [invalid(`${path}.priority`, column['priority'], 'must be greater than or equal to 0')]
      : none),
  ];
}

function conversion(given: JsonObject): Errors {
  const strategy = textAt(given, 'strategy');
  const webhook = optionalRecordAt(given, 'webhook');
  if (strategy !== 'Webhook') return oneOf(strategy, ['None', 'Webhook'], 'spec.conversion.strategy');
  const config = optionalRecordAt(webhook, 'clientConfig');
  const versions = textsAt(webhook, 'conversionReviewVersions');
  return [
    ...(config
      ? clientConfig(config, 'spec.conversion.webhookClientConfig')
      : [required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook')]),
    ...(versions.length === 0 ? [required('spec.conversion.conversionReviewVersions', '')] : none),
  ];
}

/** Versions in which objects may lie in the store. */
function storedVersions(object: JsonObject): Errors {
  const path = 'status.storedVersions';
  const stored = textsAt(recordAt(object, 'status'), 'storedVersions');
  const versions = objectsAt(recordAt(object, 'spec'), 'versions');
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const known = new Set(versions.map((version) => textAt(version, 'name')));
  const gone = stored.flatMap((name, index) =>
    known.has(name)
      ? none
      : [
          invalid(
            `${path}[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
  const missing = versions.filter((version) => version['storage'] === true && !stored.includes(textAt(version, 'name')));
  return [...missing.map((version) => invalid(path, stored, `must have the storage version ${textAt(version, 'name')}`)), ...gone];
}

/** The server's own groups need a word of approval. */
function approval(object: JsonObject, { rename }: ValidationContext): Errors {
  const group = textAt(recordAt(object, 'spec'), 'group');
  const isProtected = ['x.k8s.io', 'x.kubernetes.io'].some((own) => {
    const domain = rename(own).slice('x.'.length);
    return group === domain || group.endsWith(`.${domain}`);
  });
  if (!isProtected) return none;
  const annotation = rename('api-approved.kubernetes.io');
  const value = textAt(recordAt(recordAt(object, 'metadata'), 'annotations'), annotation);
  const path = `metadata.annotations[${annotation}]`;
  const see = 'https://github.com/kubernetes/enhancements/pull/1111';
  if (value === '') return [required(path, `protected groups must have approval annotation ${JSON.stringify(annotation)}, see ${see}`)];
  if (value.startsWith('unapproved') || /^https?:\/\/[^/]+/.test(value)) return none;
  const why = `protected groups must have approval annotation ${JSON.stringify(annotation)} with either a URL or a reason starting with "unapproved", see ${see}`;
  return [invalid(path, value, why)];
}
