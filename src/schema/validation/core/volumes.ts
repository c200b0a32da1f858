import { duplicate, forbiddenField, invalid, type JsonObject, parseQuantity, required, signOfQuantity } from '../../../meta/index.ts';
import { dnsLabel, type Errors, none, oneOf, requiredText } from '../checks.ts';
import { numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../reading.ts';
import { claimSpec } from './claim-spec.ts';
import { podField, resourceField, volumeFields } from './env.ts';
import { noBacksteps, nonReservedPath } from './paths.ts';

/** The volumes of a pod and which of them may be mounted. Cf. upstream ValidateVolumes. */
export interface CheckedVolumes {
  readonly errors: Errors;
  /** Names of those without errors. */
  readonly names: ReadonlySet<string>;
}

export function volumes(spec: JsonObject, path: string): CheckedVolumes {
  const names = new Set<string>();
  const errors = objectsAt(spec, 'volumes').flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const name = textAt(volume, 'name');
    const wrong = [
      ...volumeSource(volume, at),
      ...(name === '' ? [required(`${at}.name`, '')] : dnsLabel(name, `${at}.name`)),
      ...(names.has(name) ? [duplicate(`${at}.name`, name)] : none),
    ];
    if (wrong.length === 0) names.add(name);
    return wrong;
  });
  return { errors, names };
}

type Check = (source: JsonObject, path: string) => Errors;

const both =
  (...fields: readonly string[]): Check =>
  (source, path) =>
    fields.flatMap((field) => requiredText(source, field, path));

/** In the order in which upstream looks for them. */
const sources: readonly (readonly [field: string, check: Check])[] = [
  ['emptyDir', emptyDir],
  ['hostPath', hostPath],
  ['gitRepo', both('repository')],
  ['gcePersistentDisk', both('pdName')],
  ['awsElasticBlockStore', both('volumeID')],
  ['secret', secret],
  ['nfs', nfs],
  ['iscsi', both('targetPortal', 'iqn')],
  ['glusterfs', both('endpoints', 'path')],
  ['persistentVolumeClaim', both('claimName')],
  [
    'rbd',
    (source, path) => [...(objectsTexts(source, 'monitors') ? none : [required(`${path}.monitors`, '')]), ...both('image')(source, path)],
  ],
  ['cinder', both('volumeID')],
  ['cephfs', (source, path) => (objectsTexts(source, 'monitors') ? none : [required(`${path}.monitors`, '')])],
  ['flocker', () => none],
  ['downwardAPI', downwardApi],
  ['fc', () => none],
  ['azureFile', both('secretName', 'shareName')],
  ['flexVolume', both('driver')],
  ['configMap', configMap],
  ['vsphereVolume', both('volumePath')],
  ['quobyte', both('registry', 'volume')],
  ['photonPersistentDisk', both('pdID')],
  ['portworxVolume', both('volumeID')],
  ['azureDisk', both('diskName', 'diskURI')],
  ['storageos', () => none],
  ['projected', projected],
  ['scaleIO', both('gateway', 'system', 'volumeName')],
  ['csi', both('driver')],
  ['ephemeral', ephemeral],
  ['image', () => none],
];

function objectsTexts(source: JsonObject, field: string): boolean {
  const list = source[field];
  return Array.isArray(list) && list.length > 0;
}

function volumeSource(volume: JsonObject, path: string): Errors {
  const present = sources.filter(([field]) => optionalRecordAt(volume, field) !== undefined);
  if (present.length === 0) return [required(path, 'must specify a volume type')];
  return present.flatMap(([field, check], index) =>
    index > 0
      ? [forbiddenField(`${path}.${field}`, 'may not specify more than 1 volume type')]
      : check(recordAt(volume, field), `${path}.${field}`),
  );
}

function emptyDir(source: JsonObject, path: string): Errors {
  const limit = optionalTextAt(source, 'sizeLimit');
  const negative = limit !== undefined && signOfQuantity(parseQuantity(limit)) < 0;
  return negative ? [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')] : none;
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function hostPath(source: JsonObject, path: string): Errors {
  const target = textAt(source, 'path');
  if (target === '') return [required(`${path}.path`, '')];
  return [...noBacksteps(target, `${path}.path`), ...oneOf(optionalTextAt(source, 'type'), hostPathTypes, `${path}.type`)];
}

export function nfs(source: JsonObject, path: string): Errors {
  const target = textAt(source, 'path');
  return [
    ...requiredText(source, 'server', path),
    ...requiredText(source, 'path', path),
    ...(target.startsWith('/') ? none : [invalid(`${path}.path`, target, 'must be an absolute path')]),
  ];
}

const maxMode = 0o777;

function mode(value: number | undefined, path: string): Errors {
  if (value === undefined || (value >= 0 && value <= maxMode)) return none;
  return [invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

function keyToPath(source: JsonObject, path: string): Errors {
  return objectsAt(source, 'items').flatMap((item, index) => {
    const at = `${path}.items[${index}]`;
    const target = textAt(item, 'path');
    return [
      ...requiredText(item, 'key', at),
      ...(target === '' ? [required(`${at}.path`, '')] : nonReservedPath(target, `${at}.path`)),
      ...mode(numberAt(item, 'mode'), `${at}.mode`),
    ];
  });
}

function secret(source: JsonObject, path: string): Errors {
  return [
    ...requiredText(source, 'secretName', path),
    ...mode(numberAt(source, 'defaultMode'), `${path}.defaultMode`),
    ...keyToPath(source, path),
  ];
}

function configMap(source: JsonObject, path: string): Errors {
  return [
    ...requiredText(source, 'name', path),
    ...mode(numberAt(source, 'defaultMode'), `${path}.defaultMode`),
    ...keyToPath(source, path),
  ];
}

function downwardApi(source: JsonObject, path: string): Errors {
  return [
    ...mode(numberAt(source, 'defaultMode'), `${path}.defaultMode`),
    ...objectsAt(source, 'items').flatMap((file) => downwardFile(file, path)),
  ];
}

/** Upstream tells files without their number. */
function downwardFile(file: JsonObject, path: string): Errors {
  const target = textAt(file, 'path');
  const [field, resource] = [optionalRecordAt(file, 'fieldRef'), optionalRecordAt(file, 'resourceFieldRef')];
  return [
    ...(target === '' ? [required(`${path}.path`, '')] : nonReservedPath(target, `${path}.path`)),
    ...(field
      ? [
          ...podField(field, volumeFields, `${path}.fieldRef`),
          ...(resource ? [invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')] : none),
        ]
      : resource
        ? resourceField(resource, `${path}.resourceFieldRef`, true)
        : [required(path, 'one of fieldRef and resourceFieldRef is required')]),
    ...mode(numberAt(file, 'mode'), `${path}.mode`),
  ];
}

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

const projections: readonly (readonly [field: string, check: Check])[] = [
  ['secret', (source, path) => [...requiredText(source, 'name', path), ...keyToPath(source, path)]],
  ['configMap', (source, path) => [...requiredText(source, 'name', path), ...keyToPath(source, path)]],
  ['downwardAPI', (source, path) => objectsAt(source, 'items').flatMap((file) => downwardFile(file, path))],
  ['serviceAccountToken', token],
  ['clusterTrustBundle', () => none],
  ['podCertificate', () => none],
];

function projected(source: JsonObject, path: string): Errors {
  return [
    ...mode(numberAt(source, 'defaultMode'), `${path}.defaultMode`),
    ...objectsAt(source, 'sources').flatMap((one, index) => {
      const at = `${path}.sources[${index}]`;
      const present = projections.filter(([field]) => optionalRecordAt(one, field) !== undefined);
      return present.flatMap(([field, check], number) =>
        number > 0
          ? [forbiddenField(`${at}.${field}`, 'may not specify more than 1 volume type')]
          : check(recordAt(one, field), `${at}.${field}`),
      );
    }),
  ];
}

function token(source: JsonObject, path: string): Errors {
  const seconds = numberAt(source, 'expirationSeconds') ?? 0;
  const at = `${path}.expirationSeconds`;
  const target = textAt(source, 'path');
  return [
    ...(seconds < minTokenSeconds ? [invalid(at, seconds, 'may not specify a duration less than 10 minutes')] : none),
    ...(seconds > maxTokenSeconds ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')] : none),
    ...(target === '' ? [required(`${path}.path`, '')] : nonReservedPath(target, `${path}.path`)),
  ];
}

function ephemeral(source: JsonObject, path: string): Errors {
  const template = optionalRecordAt(source, 'volumeClaimTemplate');
  if (!template) return [required(`${path}.volumeClaimTemplate`, '')];
  return claimSpec(recordAt(template, 'spec'), `${path}.volumeClaimTemplate.spec`);
}
