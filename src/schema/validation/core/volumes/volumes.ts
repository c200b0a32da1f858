import {
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  type JsonObject,
  parseQuantity,
  required,
  signOfQuantity,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At, objectsAt, optionalRecordAt, recordAt } from '../../accessors.ts';
import { type Errors, none, validateDnsLabel, validateOneOf, validateRequiredOneOf, validateRequiredText } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateTemplateMetadata } from '../../template-metadata.ts';
import { validatePodField, validateResourceField, volumeFields } from '../pods/env.ts';
import { validateClaimSpec } from './claim-spec.ts';
import { validateDescendingPath, validateNoBacksteps, validateNonReservedPath } from './paths.ts';
import { type Projection, validatePodCertificate, validateTrustBundle } from './projected-certificates.ts';
import { networkSources, type SourceCheck, type VolumeOwner, validateInlineDriver, validateSingleSource } from './volume-sources.ts';

/** Volume errors of a pod, and the volumes that may be mounted. Cf. upstream ValidateVolumes. */
export interface CheckedVolumes {
  readonly errors: Errors;
  /** Names of the valid volumes. */
  readonly names: ReadonlySet<string>;
}

export function validateVolumes(
  spec: Decoded<corev1.PodSpec>,
  of: 'pod' | 'template',
  context: ValidationContext,
  path: string,
): CheckedVolumes {
  const names = new Set<string>();
  const errors = collectErrors(spec.volumes ?? [], (volume, index) => {
    const at = `${path}[${index}]`;
    const name = volume.name ?? '';
    const wrong = [
      ...validateVolumeSource(volume, { of, name, context }, at),
      ...(name === '' ? [required(`${at}.name`, '')] : validateDnsLabel(name, `${at}.name`)),
      ...(names.has(name) ? [duplicate(`${at}.name`, name)] : none),
    ];
    if (wrong.length === 0) names.add(name);
    return wrong;
  });
  return { errors, names };
}

const validateClaimName: SourceCheck = (source, path) => validateRequiredText(source, 'claimName', path);
const validateRepository: SourceCheck = (source: Decoded<corev1.GitRepoVolumeSource>, path) => [
  ...validateRequiredText(source, 'repository', path),
  ...validateDescendingPath(source.directory ?? '', `${path}.directory`),
];

const checks: Readonly<Record<string, SourceCheck>> = {
  ...networkSources,
  emptyDir: validateEmptyDir,
  hostPath: validateHostPath,
  gitRepo: validateRepository,
  secret: validateSecret,
  nfs: validateNfs,
  persistentVolumeClaim: validateClaimName,
  downwardAPI: validateDownwardApi,
  configMap: validateConfigMap,
  projected: validateProjected,
  csi: validateInlineDriver,
  ephemeral: validateEphemeral,
  image: validateImage,
};
const order = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi', 'glusterfs'],
  ...['flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc', 'flexVolume', 'configMap'],
  ...['azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO'],
  ...['csi', 'ephemeral', 'image'],
];

function validateVolumeSource(volume: JsonObject, owner: VolumeOwner, path: string): Errors {
  return validateSingleSource(volume, order, checks, owner, path);
}

function validateEmptyDir(source: Decoded<corev1.EmptyDirVolumeSource>, path: string): Errors {
  const limit = source.sizeLimit;
  const negative = limit !== undefined && signOfQuantity(parseQuantity(limit)) < 0;
  return negative ? [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')] : none;
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function validateHostPath(source: Decoded<corev1.HostPathVolumeSource>, path: string): Errors {
  const target = source.path ?? '';
  if (target === '') return [required(`${path}.path`, '')];
  return [...validateNoBacksteps(target, `${path}.path`), ...validateOneOf(source.type, hostPathTypes, `${path}.type`)];
}

export function validateNfs(source: Decoded<corev1.NFSVolumeSource>, path: string): Errors {
  const target = source.path ?? '';
  return [
    ...validateRequiredText(source, 'server', path),
    ...validateRequiredText(source, 'path', path),
    ...(target.startsWith('/') ? none : [invalid(`${path}.path`, target, 'must be an absolute path')]),
  ];
}

const maxMode = 0o777;

function validateMode(value: number | undefined, path: string): Errors {
  if (value === undefined || (value >= 0 && value <= maxMode)) return none;
  return [invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

function validateKeyToPath(source: Decoded<corev1.SecretVolumeSource | corev1.ConfigMapVolumeSource>, path: string): Errors {
  return collectErrors(source.items ?? [], (item, index) => {
    const at = `${path}.items[${index}]`;
    const target = item.path ?? '';
    return [
      ...validateRequiredText(item, 'key', at),
      ...(target === '' ? [required(`${at}.path`, '')] : validateNonReservedPath(target, `${at}.path`)),
      ...validateMode(item.mode, `${at}.mode`),
    ];
  });
}

function validateSecret(source: Decoded<corev1.SecretVolumeSource>, path: string): Errors {
  return [
    ...validateRequiredText(source, 'secretName', path),
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...validateKeyToPath(source, path),
  ];
}

function validateConfigMap(source: Decoded<corev1.ConfigMapVolumeSource>, path: string): Errors {
  return [
    ...validateRequiredText(source, 'name', path),
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...validateKeyToPath(source, path),
  ];
}

function validateDownwardApi(source: Decoded<corev1.DownwardAPIVolumeSource>, path: string): Errors {
  return [
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...collectErrors(source.items ?? [], (file) => validateDownwardFile(file, path)),
  ];
}

/** Upstream omits the index of the file. */
function validateDownwardFile(file: Decoded<corev1.DownwardAPIVolumeFile>, path: string): Errors {
  const target = file.path ?? '';
  const [field, resource] = [file.fieldRef, file.resourceFieldRef];
  return [
    ...(target === '' ? [required(`${path}.path`, '')] : validateNonReservedPath(target, `${path}.path`)),
    ...(field
      ? [
          ...validatePodField(field, volumeFields, `${path}.fieldRef`),
          ...(resource ? [invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')] : none),
        ]
      : resource
        ? validateResourceField(resource, `${path}.resourceFieldRef`, true)
        : [required(path, 'one of fieldRef and resourceFieldRef is required')]),
    ...validateMode(file.mode, `${path}.mode`),
  ];
}

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

const projections: Readonly<Record<string, (source: JsonObject, path: string, into: Projection) => Errors>> = {
  secret: (source, path) => [...validateRequiredText(source, 'name', path), ...validateKeyToPath(source, path)],
  configMap: (source, path) => [...validateRequiredText(source, 'name', path), ...validateKeyToPath(source, path)],
  downwardAPI: (source, path) => collectErrors(objectsAt(source, 'items'), (file) => validateDownwardFile(file, path)),
  serviceAccountToken: validateServiceAccountToken,
  clusterTrustBundle: validateTrustBundle,
  podCertificate: validatePodCertificate,
};
const projectionChecks = Object.entries(projections);

function validateProjected(source: Decoded<corev1.ProjectedVolumeSource>, path: string, { context }: VolumeOwner): Errors {
  const seen = new Set<string>();
  return [
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...collectErrors(source.sources ?? [], (one, index) => {
      if (Object.keys(one).length === 0) return none;
      const present = projectionChecks.filter(([field]) => optionalRecordAt(one, field) !== undefined);
      const at = `${path}.sources[${index}]`;
      return [
        ...present.flatMap(([field, check]) => [
          ...check(recordAt(one, field), `${at}.${field}`, { path, seen, context }),
          ...validateUniquePaths(field, recordAt(one, field), seen, path),
        ]),
        ...(present.length > 1 ? [forbiddenField(at, 'may not specify more than 1 volume type per source')] : none),
      ];
    }),
  ];
}

/** Two sources cannot write the same file. Errors show the name of the source, if any. */
function validateUniquePaths(field: string, source: Decoded<corev1.ConfigMapProjection>, seen: Set<string>, path: string): Errors {
  return collectErrors(source.items ?? [], ({ path: target = '' }) => {
    if (target === '') return none;
    const again = seen.has(target);
    seen.add(target);
    return again ? [invalid(path, field === 'downwardAPI' ? target : (source.name ?? ''), 'conflicting duplicate paths')] : none;
  });
}

/** Upstream reports an invalid path for the whole volume. */
function validateServiceAccountToken(
  source: Decoded<corev1.ServiceAccountTokenProjection>,
  path: string,
  { path: whole }: Projection,
): Errors {
  const seconds = int64At(source, 'expirationSeconds') ?? 0;
  const at = `${path}.expirationSeconds`;
  const target = source.path ?? '';
  return [
    ...(seconds < minTokenSeconds ? [invalid(at, seconds, 'may not specify a duration less than 10 minutes')] : none),
    ...(seconds > maxTokenSeconds ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')] : none),
    ...(target === '' ? [required(`${whole}.path`, '')] : validateNonReservedPath(target, `${whole}.path`)),
  ];
}

function validateEphemeral(source: Decoded<corev1.EphemeralVolumeSource>, path: string): Errors {
  const template = source.volumeClaimTemplate;
  if (!template) return [required(`${path}.volumeClaimTemplate`, '')];
  const at = `${path}.volumeClaimTemplate`;
  return [...validateTemplateMetadata(template.metadata ?? {}, `${at}.metadata`), ...validateClaimSpec(template.spec ?? {}, `${at}.spec`)];
}

/** In a template, the image may be set later by the creator of its pods. */
function validateImage(source: Decoded<corev1.ImageVolumeSource>, path: string, { of }: VolumeOwner): Errors {
  const policy = source.pullPolicy ?? '';
  return [
    ...(of === 'pod' ? validateRequiredText(source, 'reference', path) : none),
    ...validateRequiredOneOf(policy, ['Always', 'IfNotPresent', 'Never'], `${path}.pullPolicy`),
  ];
}
