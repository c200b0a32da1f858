import type { Json } from '../../meta/index.ts';
import type { Schema } from '../schema.ts';

/** A value that does not fit its type; the message is that of Go's JSON decoder. */
export class DecodeError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DecodeError';
  }
}

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
export function cannotUnmarshal(value: string, struct: string, path: readonly string[], type: string): DecodeError {
  return new DecodeError(`json: cannot unmarshal ${value} into Go struct field ${struct}.${path.join('.')} of type ${type}`);
}

/** What Go calls a JSON value. */
export function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'object';
    default:
      return 'number';
  }
}

const goScalars: Readonly<Record<string, string>> = {
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
};

/** The Go type of a field; `owner` is the type that declares it, for the string types that have a name of their own. */
export function goType(schema: Schema, owner: string, field: string): string {
  switch (schema.form) {
    case 'scalar':
      return goScalars[schema.type] ?? namedStrings[`${owner}.${field}`] ?? 'string';
    case 'list':
      return `[]${goType(schema.items, owner, field)}`;
    case 'map':
      if (schema.values.form === 'scalar' && schema.values.type === 'Quantity') return 'v1.ResourceList';
      return `map[string]${goType(schema.values, owner, field)}`;
    case 'struct':
      return goStruct(schema.name);
    case 'untyped':
      return schema.type;
  }
}

/** `core/v1.Pod` is v1.Pod in Go. */
function goStruct(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** String types with a name, where a wrong type is likely. */
const namedStrings: Readonly<Record<string, string>> = {
  'DeleteOptions.propagationPolicy': 'v1.DeletionPropagation',
  'ObjectMeta.uid': 'types.UID',
  'OwnerReference.uid': 'types.UID',
  'Preconditions.uid': 'types.UID',
  'ObjectReference.uid': 'types.UID',
  'PodSpec.restartPolicy': 'v1.RestartPolicy',
  'PodSpec.dnsPolicy': 'v1.DNSPolicy',
  'PodStatus.phase': 'v1.PodPhase',
  'Container.imagePullPolicy': 'v1.PullPolicy',
  'ContainerPort.protocol': 'v1.Protocol',
  'ServicePort.protocol': 'v1.Protocol',
  'ServiceSpec.type': 'v1.ServiceType',
  'ServiceSpec.sessionAffinity': 'v1.ServiceAffinity',
  'Secret.type': 'v1.SecretType',
  'NamespaceStatus.phase': 'v1.NamespacePhase',
  'NamespaceSpec.finalizers': 'v1.FinalizerName',
  'PersistentVolumeClaimSpec.accessModes': 'v1.PersistentVolumeAccessMode',
  'PersistentVolumeSpec.accessModes': 'v1.PersistentVolumeAccessMode',
  'DeploymentStrategy.type': 'v1.DeploymentStrategyType',
  'StatefulSetSpec.podManagementPolicy': 'v1.PodManagementPolicyType',
  'CronJobSpec.concurrencyPolicy': 'v1.ConcurrencyPolicy',
};
