import type { AdmissionUser, ParamSource, PolicyContext, ResourceKind } from '../../admission/index.ts';
import { serviceAccountUser } from '../../authn/index.ts';
import { type Attributes, type Authorizer, resourceAttributes, type Selectors } from '../../authz/index.ts';
import type { AccessAttributes } from '../../cel/index.ts';
import { type Clock, runYielding } from '../../env/index.ts';
import {
  type ApiObject,
  internalError,
  type JsonObject,
  type Product,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  StatusError,
  withMetadata,
} from '../../meta/index.ts';
import { mergeConfiguration, PatchError } from '../../patch/index.ts';
import { collectionPrefix, type ObjectStore } from '../../registry/index.ts';
import {
  type Catalog,
  DecodeError,
  formatGroupVersion,
  type OnUnknownField,
  parseGroupVersion,
  type Resource,
} from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';
import type { CustomConversion } from '../definitions/webhook-conversion.ts';

export interface PolicyEnvironmentOptions {
  readonly conversion: CustomConversion;
  readonly kinds: Kinds;
  /** The served resources, including custom resources. */
  readonly served: () => Catalog;
  readonly product: Product;
  readonly authorization: Authorizer;
  readonly clock: Clock;
  readonly metrics: PolicyContext['meter'];
}

/** Data of the cluster for the evaluation of admission policies. */
export function createPolicyEnvironment(parts: PolicyEnvironmentOptions, namespace: PolicyContext['namespace']): PolicyContext {
  const { conversion, kinds, served, product, authorization, clock, metrics } = parts;
  /** Undefined for the kind of a subresource, for instance Scale, which has no other version. */
  const targetOf = ({ group, version, resource, kind }: ResourceKind): Resource | undefined => {
    const target = served().resource(formatGroupVersion({ group, version }), resource);
    return target?.kind === kind.kind ? target : undefined;
  };
  const decode = (object: JsonObject, resource: ResourceKind, onUnknownField?: OnUnknownField): ApiObject => {
    const target = targetOf(resource);
    try {
      return target ? kinds.of(target).withDefaults(kinds.of(target).decode(object, { onUnknownField })) : (object as ApiObject);
    } catch (error) {
      if (error instanceof DecodeError) throw internalError(error.message, error);
      throw error;
    }
  };
  const toServed = (resource: Resource) => kinds.of(resource).fromStorage;
  return {
    namespace,
    clock,
    meter: metrics,
    equivalents: ({ group, resource, subresource }) =>
      findServedResources(served(), equivalentNames(group, resource, product)).flatMap(
        (version) => resourceKindOf(version, subresource) ?? [],
      ),
    async inVersion(object, resource) {
      const target = targetOf(resource);
      if (!target) return object;
      if (target.custom?.conversion) return conversion.inVersion(object, target);
      const { fromStorage, strategy } = kinds.of(target);
      // Writing drops empty values, as in the real server, whose typed objects do not distinguish them from absent ones.
      return fromStorage(target.custom ? object : strategy.stored.write(object));
    },
    decode: (object, resource) => decode(object, resource),
    decodeStrictly(object, resource) {
      const unknown: string[] = [];
      const decoded = decode(object, resource, (path) => unknown.push(path));
      if (unknown.length === 0 || targetOf(resource)?.custom) return decoded;
      throw internalError(`strict decoding error: ${unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ')}`);
    },
    async applyConfiguration(object, configuration, resource, pace) {
      const { group, version, kind } = resource.kind;
      const target = targetOf(resource);
      const schema = target ? kinds.of(target).schema : served().kind(formatGroupVersion({ group, version }), kind);
      if (!schema) throw unknownKindError(resource.kind);
      const merged = await runYielding(mergeConfiguration(object, configuration, { schema, custom: Boolean(target?.custom) }), pace);
      if (!target) return merged as ApiObject;
      const targetKind = kinds.of(target);
      try {
        const decoded = await runYielding(targetKind.decodeAppliedInSteps(merged as ApiObject), pace);
        return await runYielding(targetKind.withDefaultsInSteps(decoded), pace);
      } catch (error) {
        if (error instanceof DecodeError) throw new PatchError('failed', error.message);
        throw error;
      }
    },
    async fromVersion(object, resource, like) {
      const target = targetOf(resource);
      const requested = target && served().resourceOfKind(like.apiVersion, like.kind);
      if (!requested || requested === target) return object;
      if (requested.custom?.conversion) return conversion.inVersion(object, requested);
      return kinds.of(requested).fromStorage(kinds.of(target).toStorage(object));
    },
    params({ apiVersion, kind }): ParamSource | undefined {
      const resource = served().resourceOfKind(apiVersion, kind);
      return resource && createParamSource(resource, conversion.storeOf(resource), createParamConverter(resource, toServed(resource)));
    },
    async checkAccess(user, check) {
      const { verdict, reason, error } = await authorization.authorize(attributesOf(user, check, product));
      return { allowed: verdict === 'allow', reason, ...(error === undefined ? {} : { error }) };
    },
  };
}

/** The schemas of a definition are served soon after it is established. */
function unknownKindError({ group, version, kind }: ResourceKind['kind']): StatusError {
  const name = `${formatGroupVersion({ group, version })}, Kind=${kind}`;
  const text = `Resource kind ${name} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
  return new StatusError(503, 'ServiceUnavailable', text);
}

/** The real server drops managedFields of built-in params. */
function createParamConverter({ custom }: Resource, toServed: (object: ApiObject) => ApiObject): (object: ApiObject) => ApiObject {
  return custom ? toServed : (object) => withMetadata(toServed(object), { managedFields: undefined });
}

function createParamSource(resource: Resource, store: ObjectStore, toServed: (object: ApiObject) => ApiObject): ParamSource {
  return {
    namespaced: resource.namespaced,
    async find(namespace, name) {
      const found = await store.find({ resource, namespace, name });
      return found && toServed(found.object);
    },
    async list(namespace) {
      const { entries } = await store.keySpace.range({ prefix: collectionPrefix(resource, namespace) });
      return entries.map((entry) => toServed(store.storedObjectOf(entry).object));
    },
  };
}

/** Events are stored once, and served by two groups. */
function equivalentNames(group: string, name: string, product: Product): readonly (readonly [group: string, name: string])[] {
  const groups = ['', product.rename('events.k8s.io')];
  return name === 'events' && groups.includes(group) ? groups.map((one) => [one, name]) : [[group, name]];
}

function findServedResources(catalog: Catalog, names: readonly (readonly [group: string, name: string])[]): readonly Resource[] {
  return names.flatMap(([group, name]) => {
    const versions = catalog.groups.find((one) => one.name === group)?.versions ?? [];
    return versions.flatMap((version) => catalog.resource(formatGroupVersion({ group, version }), name) ?? []);
  });
}

/** Undefined when this version has no such subresource. */
function resourceKindOf({ group, version, name, kind, subresources }: Resource, subresource: string): ResourceKind | undefined {
  const subresourceKind = subresources.get(subresource);
  if (subresource !== '' && !subresourceKind) return undefined;
  const kindOfSubresource = subresourceKind
    ? { ...parseGroupVersion(subresourceKind.groupVersion), kind: subresourceKind.kind }
    : { group, version, kind };
  return { group, version, resource: name, kind: kindOfSubresource };
}

/** Authorizer attributes of an authorization check in an expression. Invalid selectors are ignored. */
function attributesOf(user: AdmissionUser, check: AccessAttributes, product: Product): Attributes {
  const { serviceAccount, path, verb, group = '', resource = '', subresource = '', namespace = '', name = '' } = check;
  // A service account in an expression has not authenticated, so it has no uid.
  const requester = serviceAccount
    ? serviceAccountUser({ namespace: serviceAccount.namespace, account: { name: serviceAccount.name, uid: '' } }, product)
    : user;
  const attributes = resourceAttributes(requester, {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    selectors: () => selectorsOf(check),
  });
  return path === undefined ? attributes : { ...attributes, isResourceRequest: false, version: '', path };
}

function selectorsOf({ fieldSelector = '', labelSelector = '' }: AccessAttributes): Selectors {
  return { field: parseOrEmpty(parseFieldSelector, fieldSelector), label: parseOrEmpty(parseLabelSelector, labelSelector) };
}

function parseOrEmpty<T>(parse: (text: string) => readonly T[], text: string): readonly T[] {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
