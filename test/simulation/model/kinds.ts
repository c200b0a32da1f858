import type { JsonObject, Product } from '../../../src/meta/index.ts';

/** The two fields that simulated clients write; each kind maps them to its own fields. */
export interface Fields {
  readonly x: string;
  readonly y: string | undefined;
}

/** A kind as the workload uses it. */
export interface SimulatedKind {
  /** Plural, for the transcript. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Path of the collection. */
  readonly collection: string;
  readonly keyPrefix: string;
  readonly hasGeneration: boolean;
  /** PUT without a resourceVersion is accepted. */
  readonly allowsUnconditionalUpdate: boolean;
  /** Defined by a CustomResourceDefinition: no strategic merge patch. */
  readonly isCustom: boolean;
  /** Undefined: no status subresource. A write to it preserves the metadata or replaces them with those sent. */
  readonly status:
    | { readonly metadata: 'preserved' | 'replaced'; write(id: string): JsonObject; read(object: JsonObject): string }
    | undefined;
  /** Members of the whole object that contain the fields. */
  write(fields: Fields): JsonObject;
  /** Members of a merge patch that sets some fields; null removes `y`. */
  patch(fields: { readonly x?: string; readonly y?: string | null }): JsonObject;
  read(object: JsonObject): Fields;
  /** JSON pointer and value of `x`. */
  xPatch(x: string): { readonly path: string; readonly value: string | number };
  /** Paths of the fields in managedFields. */
  readonly owned: { readonly x: readonly string[]; readonly y: readonly string[] };
}

function at(object: JsonObject, ...path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) value = typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
  return value;
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const optional = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

const configMaps: SimulatedKind = {
  name: 'configmaps',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  collection: '/api/v1/namespaces/default/configmaps',
  keyPrefix: '/registry/configmaps/default/',
  hasGeneration: false,
  allowsUnconditionalUpdate: true,
  isCustom: false,
  status: undefined,
  write: ({ x, y }) => ({ data: { x, ...(y === undefined ? {} : { y }) } }),
  patch: (fields) => ({ data: { ...fields } }),
  read: (object) => ({ x: text(at(object, 'data', 'x')), y: optional(at(object, 'data', 'y')) }),
  xPatch: (x) => ({ path: '/data/x', value: x }),
  owned: { x: ['f:data', 'f:x'], y: ['f:data', 'f:y'] },
};

/** Namespaced, with a status and a generation. */
function ingresses(rename: Product['rename']): SimulatedKind {
  const apiVersion = rename('networking.k8s.io/v1');
  const backend = (x: string): JsonObject => ({ service: { name: 's', port: { number: Number(x) } } });
  return {
    name: 'ingresses',
    apiVersion,
    kind: 'Ingress',
    collection: `/apis/${apiVersion}/namespaces/default/ingresses`,
    keyPrefix: '/registry/ingress/default/',
    hasGeneration: true,
    allowsUnconditionalUpdate: true,
    isCustom: false,
    status: {
      metadata: 'replaced',
      write: (id) => ({ status: { loadBalancer: { ingress: [{ hostname: id }] } } }),
      read: (object) => text(at(object, 'status', 'loadBalancer', 'ingress', '0', 'hostname')),
    },
    write: ({ x, y }) => ({ spec: { defaultBackend: backend(x), ...(y === undefined ? {} : { ingressClassName: y }) } }),
    patch: ({ x, y }) => ({
      spec: { ...(x === undefined ? {} : { defaultBackend: backend(x) }), ...(y === undefined ? {} : { ingressClassName: y }) },
    }),
    read: (object) => ({
      x: text(at(object, 'spec', 'defaultBackend', 'service', 'port', 'number')),
      y: optional(at(object, 'spec', 'ingressClassName')),
    }),
    xPatch: (x) => ({ path: '/spec/defaultBackend/service/port/number', value: Number(x) }),
    owned: { x: ['f:spec', 'f:defaultBackend', 'f:service', 'f:port'], y: ['f:spec', 'f:ingressClassName'] },
  };
}

/** Cluster-scoped, with a generation. */
function ingressClasses(rename: Product['rename']): SimulatedKind {
  const apiVersion = rename('networking.k8s.io/v1');
  const parameters = ({ x, y }: { readonly x?: string; readonly y?: string | null | undefined }): JsonObject => ({
    kind: 'Parameters',
    ...(x === undefined ? {} : { name: x }),
    ...(y === undefined ? {} : { apiGroup: y }),
  });
  return {
    name: 'ingressclasses',
    apiVersion,
    kind: 'IngressClass',
    collection: `/apis/${apiVersion}/ingressclasses`,
    keyPrefix: '/registry/ingressclasses/',
    hasGeneration: true,
    allowsUnconditionalUpdate: true,
    isCustom: false,
    status: undefined,
    write: (fields) => ({ spec: { controller: 'example.com/c', parameters: parameters(fields) } }),
    patch: (fields) => ({ spec: { parameters: parameters(fields) } }),
    read: (object) => ({
      x: text(at(object, 'spec', 'parameters', 'name')),
      y: optional(at(object, 'spec', 'parameters', 'apiGroup')),
    }),
    xPatch: (x) => ({ path: '/spec/parameters/name', value: x }),
    owned: { x: ['f:spec', 'f:parameters', 'f:name'], y: ['f:spec', 'f:parameters', 'f:apiGroup'] },
  };
}

const widgets: SimulatedKind = {
  name: 'widgets',
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  collection: '/apis/example.com/v1/namespaces/default/widgets',
  keyPrefix: '/registry/example.com/widgets/default/',
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  isCustom: true,
  status: {
    metadata: 'preserved',
    write: (id) => ({ status: { write: id } }),
    read: (object) => text(at(object, 'status', 'write')),
  },
  write: ({ x, y }) => ({ spec: { x, ...(y === undefined ? {} : { y }) } }),
  patch: (fields) => ({ spec: { ...fields } }),
  read: (object) => ({ x: text(at(object, 'spec', 'x')), y: optional(at(object, 'spec', 'y')) }),
  xPatch: (x) => ({ path: '/spec/x', value: x }),
  owned: { x: ['f:spec', 'f:x'], y: ['f:spec', 'f:y'] },
};

export function simulatedKinds({ rename }: Product): readonly SimulatedKind[] {
  return [configMaps, ingresses(rename), ingressClasses(rename), widgets];
}

/** The definition of the custom kind. */
export function widgetDefinition({ rename }: Product): { readonly collection: string; readonly object: JsonObject } {
  const apiVersion = rename('apiextensions.k8s.io/v1');
  const texts = (...names: readonly string[]): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
  return {
    collection: `/apis/${apiVersion}/customresourcedefinitions`,
    object: {
      apiVersion,
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: texts('x', 'y'), status: texts('write') } } },
          },
        ],
      },
    },
  };
}
