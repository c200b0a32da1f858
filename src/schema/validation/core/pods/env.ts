import {
  collectErrors,
  invalid,
  isConfigMapKey,
  isDns1123Subdomain,
  isQualifiedName,
  isRelaxedEnvVarName,
  notFoundField,
  parseQuantity,
  quantityInteger,
  required,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { type Errors, none, presentFields, unsupported, validateDnsLabel, validateNameWith } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateNoBacksteps } from '../volumes/paths.ts';

/** Environment variables, and the pod fields that they and volumes may refer to. Cf. upstream ValidateEnv. */
export function validateEnv(container: Decoded<corev1.Container>, path: string, context: ValidationContext): Errors {
  return [
    ...collectErrors(container.env ?? [], (variable, index) => validateEnvVariable(variable, `${path}.env[${index}]`, context)),
    ...collectErrors(container.envFrom ?? [], (source, index) => validateEnvSource(source, `${path}.envFrom[${index}]`, `${path}.envFrom`)),
  ];
}

function validateEnvVariable(variable: Decoded<corev1.EnvVar>, path: string, context: ValidationContext): Errors {
  const name = variable.name ?? '';
  const from = variable.valueFrom;
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : validateNameWith(isRelaxedEnvVarName, name, `${path}.name`)),
    ...(from ? validateEnvValueFrom(from, variable.value ?? '', `${path}.valueFrom`, context) : none),
  ];
}

const envSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

function validateEnvValueFrom(from: Decoded<corev1.EnvVarSource>, value: string, path: string, { gates }: ValidationContext): Errors {
  const sources = presentFields(from, envSources);
  const errors = [
    ...('fieldRef' in from ? validatePodField(from.fieldRef ?? {}, envFields, `${path}.fieldRef`) : none),
    ...('resourceFieldRef' in from ? validateResourceField(from.resourceFieldRef ?? {}, `${path}.resourceFieldRef`, false) : none),
    ...('configMapKeyRef' in from ? validateKeySelector(from.configMapKeyRef ?? {}, `${path}.configMapKeyRef`) : none),
    ...('secretKeyRef' in from ? validateKeySelector(from.secretKeyRef ?? {}, `${path}.secretKeyRef`) : none),
    ...('fileKeyRef' in from ? validateFileKeyRef(from.fileKeyRef ?? {}, `${path}.fileKeyRef`) : none),
  ];
  if (sources.length === 0) {
    const last = gates.enabled('EnvFiles') ? ', `secretKeyRef` or `fileKeyRef`' : ' or `secretKeyRef`';
    return [...errors, invalid(path, '', `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${last}`)];
  }
  if (value !== '') return [...errors, invalid(path, '', 'may not be specified when `value` is not empty')];
  return sources.length > 1 ? [...errors, invalid(path, '', 'may not have more than one field specified at a time')] : errors;
}

function validateKeySelector(selector: Decoded<corev1.ConfigMapKeySelector>, path: string): Errors {
  const [name, key] = [selector.name ?? '', selector.key ?? ''];
  return [
    ...validateNameWith(isDns1123Subdomain, name, `${path}.name`),
    ...(key === '' ? [required(`${path}.key`, '')] : validateNameWith(isConfigMapKey, key, `${path}.key`)),
  ];
}

/** A variable from a file that another container writes. */
function validateFileKeyRef(selector: Decoded<corev1.FileKeySelector>, path: string): Errors {
  const [key, volume, file] = [selector.key ?? '', selector.volumeName ?? '', selector.path ?? ''];
  return [
    ...(key === '' ? [required(`${path}.key`, '')] : validateNameWith(isRelaxedEnvVarName, key, `${path}.key`)),
    ...(volume === '' ? [required(`${path}.volumeName`, '')] : validateDnsLabel(volume, `${path}.volumeName`)),
    ...(file === '' ? [required(`${path}.path`, '')] : validateNoBacksteps(file, `${path}.path`)),
  ];
}

/** These files must be in emptyDir volumes. Cf. upstream validateFileKeyRefVolumes. */
export function validateFileVolumes(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    collectErrors(spec[list] ?? [], (container, index) =>
      collectErrors(container.env ?? [], (variable, place) => {
        const selector = variable.valueFrom?.fileKeyRef;
        const at = `${path}.${list}[${index}].env[${place}].valueFrom.fileKeyRef.volumeName`;
        return selector ? validateFileVolume(selector.volumeName ?? '', volumes, at) : none;
      }),
    ),
  );
}

function validateFileVolume(name: string, volumes: ReadonlyMap<string, Decoded<corev1.Volume>>, path: string): Errors {
  const volume = volumes.get(name);
  if (!volume) return [notFoundField(path, name)];
  return volume.emptyDir ? none : [invalid(path, name, 'referenced volume must be of type emptyDir')];
}

/** Upstream reports a missing source for the whole list. */
function validateEnvSource(source: Decoded<corev1.EnvFromSource>, path: string, list: string): Errors {
  const prefix = source.prefix ?? '';
  const sources = presentFields(source, ['configMapRef', 'secretRef']);
  const errors = [
    ...(prefix === '' ? none : validateNameWith(isRelaxedEnvVarName, prefix, `${path}.prefix`)),
    ...collectErrors(sources, (field) => {
      const name = source[field]?.name ?? '';
      return name === '' ? [required(`${path}.${field}.name`, '')] : validateNameWith(isDns1123Subdomain, name, `${path}.${field}.name`);
    }),
  ];
  if (sources.length === 0) return [...errors, invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`')];
  return sources.length > 1 ? [...errors, invalid(list, '', 'may not have more than one field specified at a time')] : errors;
}

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Pod fields in a downwardAPI volume. */
export const volumeFields: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const supportedFields: ReadonlySet<string> = new Set([
  ...envFields,
  ...volumeFields,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** A field of the pod: `metadata.name`, `metadata.labels['app']`. */
export function validatePodField(selector: Decoded<corev1.ObjectFieldSelector>, allowed: readonly string[], path: string): Errors {
  const [version, fieldPath] = [selector.apiVersion ?? '', selector.fieldPath ?? ''];
  if (version === '') return [required(`${path}.apiVersion`, '')];
  if (fieldPath === '') return [required(`${path}.fieldPath`, '')];
  const unknown = (why: string): Errors => [invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`)];
  if (version !== 'v1') return unknown(`unsupported pod version: ${version}`);
  const subscripted = splitSubscript(fieldPath);
  if (subscripted) return validateSubscript(...subscripted, path, () => unknown(`field label does not support subscript: ${fieldPath}`));
  if (!supportedFields.has(fieldPath)) return unknown(`field label not supported: ${fieldPath}`);
  return allowed.includes(fieldPath) ? none : [unsupported(`${path}.fieldPath`, fieldPath, allowed)];
}

/** The field and the key of `metadata.labels['app']`. Cf. upstream SplitMaybeSubscriptedPath. */
function splitSubscript(fieldPath: string): readonly [field: string, key: string] | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const text = fieldPath.slice(0, -2);
  const open = text.indexOf("['");
  return open > 0 ? [text.slice(0, open), text.slice(open + 2)] : undefined;
}

function validateSubscript(field: string, key: string, path: string, otherwise: () => Errors): Errors {
  if (field === 'metadata.annotations') return validateNameWith((text) => isQualifiedName(text.toLowerCase()), key, path);
  return field === 'metadata.labels' ? validateNameWith(isQualifiedName, key, path) : otherwise();
}

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ['1m', '1'],
  memory: ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
};

/** A resource field of a container. */
export function validateResourceField(selector: Decoded<corev1.ResourceFieldSelector>, path: string, inVolume: boolean): Errors {
  const resource = selector.resource ?? '';
  if (inVolume && (selector.containerName ?? '') === '') return [required(`${path}.containerName`, '')];
  if (resource === '') return [required(`${path}.resource`, '')];
  const hugePages = /^(limits|requests)\.hugepages-/.test(resource);
  if (!resourceFields.includes(resource) && !hugePages) return [unsupported(`${path}.resource`, resource, resourceFields)];
  return validateDivisor(selector.divisor ?? '', resource.endsWith('.cpu') ? 'cpu' : 'memory', `${path}.divisor`);
}

function validateDivisor(given: string, kind: string, path: string): Errors {
  if (given === '' || quantityInteger(parseQuantity(given), -3) === 0n) return none;
  const allowed = divisors[kind] ?? [];
  if (allowed.includes(given)) return none;
  const list = kind === 'cpu' ? '1m and 1' : '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';
  const what = kind === 'cpu' ? 'cpu' : 'memory';
  return [invalid(path, given, `only divisor's values ${list} are supported with the ${what} resource`)];
}
