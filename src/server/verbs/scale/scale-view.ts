import {
  type ApiObject,
  badRequest,
  formatLabelRequirements,
  internalError,
  isJsonObject,
  type Json,
  type JsonObject,
  type LabelSelector,
  labelSelectorRequirements,
  recordAt,
  StatusError,
} from '../../../meta/index.ts';
import type { ReplicasPaths } from '../../../patch/index.ts';
import { accessorError, valueAtPath } from '../../../registry/index.ts';
import { type CustomVersion, parsePathNames, type Resource, type ScalePaths } from '../../../schema/index.ts';

/** Access to the fields of a resource that its scale shows. */
export interface ScaleView {
  readonly replicasPaths: ReplicasPaths;
  /** Whether a write needs the version that it is based on, also when it names none. */
  readonly versioned: boolean;
  /** The number of replicas; undefined when the object has no such field. @throws StatusError */
  replicas(object: ApiObject): number | undefined;
  /** The number of replicas in responses. @throws StatusError 500 where it is required but missing */
  shownReplicas(object: ApiObject): number;
  statusReplicas(object: ApiObject): number;
  /** Empty when the object has no selector. */
  selector(object: ApiObject): string;
  /** @throws StatusError for a missing number that is required */
  withReplicas(object: ApiObject, replicas: number | undefined): ApiObject;
}

export function scaleViewOf({ custom }: Resource): ScaleView {
  return custom?.scale ? customView(custom, custom.scale) : workloads;
}

/** The versions of workloads that have been served, and where each has its number of replicas. */
const workloadPaths: ReplicasPaths = new Map(
  ['v1', 'apps/v1', 'apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'].map((version) => [version, ['spec', 'replicas']]),
);

const workloads: ScaleView = {
  replicasPaths: workloadPaths,
  versioned: false,
  replicas: (object) => numberOf(recordAt(object, 'spec')['replicas']),
  shownReplicas: (object) => numberOf(recordAt(object, 'spec')['replicas']) ?? 0,
  statusReplicas: (object) => numberOf(recordAt(object, 'status')['replicas']) ?? 0,
  selector: (object) => selectorText(object.kind, recordAt(object, 'spec')['selector']),
  withReplicas: (object, replicas = 0) => ({ ...object, spec: { ...recordAt(object, 'spec'), replicas } }),
};

/** The view by the paths of a definition; the object's own rules validate the number. */
function customView({ replicasPaths }: CustomVersion, paths: ScalePaths): ScaleView {
  const whole = (object: ApiObject, path: string): number | undefined => {
    const value = valueAtPath(object, path);
    if (value === undefined || typeof value === 'number') return value;
    throw new StatusError(500, '', accessorError(path, value, 'int64'));
  };
  return {
    replicasPaths,
    versioned: true,
    replicas: (object) => whole(object, paths.spec),
    shownReplicas(object) {
      const replicas = whole(object, paths.spec);
      if (replicas === undefined) throw internalError(`the spec replicas field ${JSON.stringify(paths.spec)} does not exist`);
      return replicas;
    },
    statusReplicas: (object) => whole(object, paths.status) ?? 0,
    selector(object) {
      const value = paths.selector === undefined ? undefined : valueAtPath(object, paths.selector);
      return typeof value === 'string' ? value : '';
    },
    withReplicas(object, replicas) {
      if (replicas === undefined) throw badRequest(`the spec replicas field ${JSON.stringify(paths.spec)} cannot be empty`);
      return withValue(object, parsePathNames(paths.spec), replicas) as ApiObject;
    },
  };
}

function withValue(object: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = rest.length === 0 ? value : withValue(recordAt(object, name), rest, value);
  return { ...object, [name]: inner };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A ReplicationController selects by labels alone. */
function selectorText(kind: string, selector: unknown): string {
  if (!isJsonObject(selector)) return '';
  const labelSelector = kind === 'ReplicationController' ? { matchLabels: selector } : selector;
  return formatLabelRequirements(labelSelectorRequirements(labelSelector as LabelSelector));
}
