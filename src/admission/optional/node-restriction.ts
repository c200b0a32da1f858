import { type ApiObject, type JsonObject, notFound, type Product, recordAt } from '../../meta/index.ts';
import type { authenticationv1, corev1 } from '../../schema/api/index.ts';
import { type Decoded, isSemanticallyEqual } from '../../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { annotationOf, podSpecOf, specOf } from '../object-accessors.ts';
import type { ObjectSource } from '../object-source.ts';
import { forbiddenLabels } from './kubelet-labels.ts';
import { type AudienceOptions, audienceProblem } from './node-audience.ts';
import { referenceOf } from './pod-references.ts';

export interface NodeRestrictionOptions extends AudienceOptions {
  readonly product: Product;
}

/** A write by a node. */
interface NodeWrite {
  readonly node: string;
  readonly request: AdmissionRequest;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
}

/** Returns why the write is denied; undefined when it is allowed. @throws StatusError when a needed object is missing */
type Rule = (write: NodeWrite) => Promise<string | undefined> | string | undefined;

const prefix = 'system:node:';

/** Limits a node to its own objects and pods; it cannot attract workloads. Cf. upstream plugin/noderestriction. */
export function nodeRestriction(tools: NodeRestrictionOptions): AdmissionPlugin {
  const rules = createRules(tools);
  const check = async (request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject> => {
    const { username, groups } = request.user;
    if (!username.startsWith(prefix) || !groups.includes('system:nodes')) return object;
    const node = username.slice(prefix.length);
    const rule = rules.get(ruleKey(request));
    const why =
      node === '' ? `could not determine node from user ${JSON.stringify(username)}` : await rule?.({ node, request, object, old });
    if (why !== undefined) throw createForbiddenError(request, request.operation === 'DELETE' ? undefined : object, why);
    return object;
  };
  return {
    name: 'NodeRestriction',
    handles: (write) => write.operation !== 'CONNECT' && rules.has(ruleKey(write)),
    mutate: check,
  };
}

function ruleKey({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `${resource}.${group}`;
}

function createRules(tools: NodeRestrictionOptions): ReadonlyMap<string, Rule> {
  const { product, source } = tools;
  const pods = podRules(source('v1', 'pods'), source('v1', 'nodes'), product);
  const rules: Readonly<Record<string, Rule>> = {
    'pods.': (write) => {
      const { subresource } = write.request;
      const rule = pods[subresource];
      return rule ? rule(write) : `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
    },
    'nodes.': (write) => nodeProblem(write, product),
    'persistentvolumeclaims.': claimProblem,
    'serviceaccounts.': (write) => tokenProblem(write, source('v1', 'pods'), tools),
    'leases.coordination.k8s.io': ({ node, request, object }) => {
      const namespace = product.rename('kube-node-lease');
      if (request.namespace !== namespace) return `can only access leases in the ${JSON.stringify(namespace)} system namespace`;
      return requestedName(request, object) === node ? undefined : 'can only access node lease with the same name as the requesting node';
    },
    'csinodes.storage.k8s.io': ({ node, request, object }) =>
      requestedName(request, object) === node ? undefined : 'can only access CSINode with the same name as the requesting node',
    'resourceslices.resource.k8s.io': ({ node, request: { operation }, object }) => {
      if (operation === 'UPDATE' || podSpecOf(object).nodeName === node) return undefined;
      return `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
    },
  };
  return new Map(Object.entries(rules).map(([key, rule]) => [product.rename(key), rule]));
}

function requestedName({ operation, name }: AdmissionRequest, object: ApiObject): string {
  return operation === 'CREATE' ? (object.metadata.name ?? '') : name;
}

function podRules(pods: ObjectSource, nodes: ObjectSource, product: Product): Readonly<Record<string, Rule>> {
  const mirror = product.rename('kubernetes.io/config.mirror');
  return {
    '': (write) => {
      const { node, request, object } = write;
      if (request.operation === 'CREATE') return mirrorPodProblem(write, nodes, mirror);
      const quoted = JSON.stringify(node);
      if (request.operation !== 'DELETE') return `unexpected operation "UPDATE", node ${quoted} can only create and delete mirror pods`;
      return podSpecOf(object).nodeName === node ? undefined : `node ${quoted} can only delete pods with spec.nodeName set to itself`;
    },
    status: ({ node, object, old = object }) => {
      const quoted = JSON.stringify(node);
      if (podSpecOf(old).nodeName !== node) return `node ${quoted} can only update pod status for pods with spec.nodeName set to itself`;
      if (!isSemanticallyEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {}))
        return `node ${quoted} cannot update labels through pod status`;
      const { status: next }: Decoded<corev1.Pod> = object;
      const { status: before }: Decoded<corev1.Pod> = old;
      if (!isSemanticallyEqual(next?.resourceClaimStatuses, before?.resourceClaimStatuses))
        return `node ${quoted} cannot update resource claim statues`;
      return isSemanticallyEqual(next?.extendedResourceClaimStatus, before?.extendedResourceClaimStatus)
        ? undefined
        : `node ${quoted} cannot update extended resource claim status`;
    },
    eviction: async ({ node, request }) => {
      const pod = await requirePod(pods, request.namespace, request.name);
      return podSpecOf(pod).nodeName === node ? undefined : `node ${node} can only evict pods with spec.nodeName set to itself`;
    },
  };
}

/** @throws StatusError 404 with the singular resource name, as upstream's lister does */
async function requirePod(pods: ObjectSource, namespace: string, name: string): Promise<ApiObject> {
  const pod = await pods.find(namespace, name);
  if (!pod) throw notFound({ group: '', name: 'pod' }, name);
  return pod;
}

/** A kubelet may create mirror pods of its static pods, as long as they reference no other API objects. */
async function mirrorPodProblem({ node, object: pod }: NodeWrite, nodes: ObjectSource, mirror: string): Promise<string | undefined> {
  const quoted = JSON.stringify(node);
  if (annotationOf(pod, mirror) === undefined)
    return `pod does not have ${JSON.stringify(mirror)} annotation, node ${quoted} can only create mirror pods`;
  if (podSpecOf(pod).nodeName !== node) return `node ${quoted} can only create pods with spec.nodeName set to itself`;
  const [owner, ...more] = pod.metadata.ownerReferences ?? [];
  if (more.length > 0) return `node ${quoted} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node ${quoted} can only create pods with an owner reference set to itself`;
  if (!owner.controller) return `node ${quoted} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  const itself = await nodes.find('', node);
  if (!itself) throw notFound({ group: '', name: 'node' }, node);
  if (itself.metadata.uid !== owner.uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${itself.metadata.uid}`;
  const reference = referenceOf(pod);
  return reference === undefined ? undefined : `node ${quoted} can not create pods that reference ${reference}`;
}

function nodeProblem({ node, request, object, old }: NodeWrite, product: Product): string | undefined {
  const quoted = JSON.stringify(node);
  if (request.name !== node) return `node ${quoted} is not allowed to modify node ${JSON.stringify(request.name)}`;
  if (request.operation === 'DELETE') return undefined;
  const { configSource, taints }: Decoded<corev1.NodeSpec> = specOf(object);
  const labels = forbiddenLabels(object.metadata.labels ?? {}, old?.metadata.labels ?? {}, product).join(', ');
  if (!old) {
    if (configSource !== undefined) return `node ${quoted} is not allowed to create pods with a non-nil configSource`;
    return labels === '' ? undefined : `node ${quoted} is not allowed to set the following labels: ${labels}`;
  }
  const before: Decoded<corev1.NodeSpec> = specOf(old);
  if (configSource !== undefined && !isSemanticallyEqual(configSource, before.configSource))
    return `node ${quoted} is not allowed to update configSource to a new non-nil configSource`;
  if (!isSemanticallyEqual(taints, before.taints)) return `node ${quoted} is not allowed to modify taints`;
  if (!isSemanticallyEqual(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    return `node ${quoted} is not allowed to modify ownerReferences`;
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

const nodeOwnedClaimStatus: ReadonlySet<string> = new Set(['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources']);

function claimProblem({ node, request, object, old }: NodeWrite): string | undefined {
  if (request.subresource !== 'status') return 'may only update PVC status';
  const others = (claim: ApiObject | undefined): JsonObject => {
    const { resourceVersion: _, managedFields: __, ...metadata } = claim?.metadata ?? {};
    const status = Object.entries(recordAt(claim, 'status')).filter(([name]) => !nodeOwnedClaimStatus.has(name));
    return { metadata, spec: recordAt(claim, 'spec'), status: Object.fromEntries(status) };
  };
  if (isSemanticallyEqual(others(object), others(old))) return undefined;
  return `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/** A node may request tokens only for pods that are bound to it. */
async function tokenProblem({ node, request, object }: NodeWrite, pods: ObjectSource, tools: AudienceOptions): Promise<string | undefined> {
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return undefined;
  const { boundObjectRef }: Decoded<authenticationv1.TokenRequestSpec> = specOf(object);
  const { apiVersion, kind, name = '', uid = '' } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = await requirePod(pods, request.namespace, name);
  if (pod.metadata.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  if (podSpecOf(pod).nodeName !== node) return 'node requested token bound to a pod scheduled on a different node';
  return audienceProblem(request, object, pod, tools);
}
