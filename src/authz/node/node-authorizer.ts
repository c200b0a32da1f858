import type { Product } from '../../meta/index.ts';
import type { Attributes, Identity } from '../attributes.ts';
import { type Authorizer, type Decision, noOpinion, noRules } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/policy.ts';
import { describeRule, ruleAllows } from '../rbac/rules.ts';
import { isRelated, type NodeSource, type RelatedResource } from './node-relations.ts';

const prefix = 'system:node:';
const nodesGroup = 'system:nodes';
const notNode = noOpinion('', '');

type Answer = Decision | Promise<Decision>;

/**
 * Authorizes nodes: for their own objects, the objects of their pods, and by rules common to all nodes.
 * Cf. upstream plugin/pkg/auth/authorizer/node.
 */
export function nodeAuthorizer(source: NodeSource, rules: readonly PolicyRule[], product: Product): Authorizer {
  const name = (resource: string): string => product.rename(resource);
  const special: Readonly<Record<string, (node: string, attributes: Attributes) => Answer>> = {
    secrets: (node, attributes) => authorizeReadNamespaced(node, 'secrets', attributes),
    configmaps: (node, attributes) => authorizeReadNamespaced(node, 'configmaps', attributes),
    persistentvolumeclaims: (node, attributes) =>
      attributes.subresource === 'status'
        ? authorizeStatusUpdate(node, attributes)
        : authorizeGet(node, 'persistentvolumeclaims', attributes),
    persistentvolumes: (node, attributes) => authorizeGet(node, 'persistentvolumes', attributes),
    [name('resourceclaims.resource.k8s.io')]: (node, attributes) => authorizeGet(node, 'resourceclaims', attributes),
    [name('volumeattachments.storage.k8s.io')]: (node, attributes) => authorizeGet(node, 'volumeattachments', attributes),
    serviceaccounts: authorizeServiceAccount,
    [name('leases.coordination.k8s.io')]: authorizeLease,
    [name('csinodes.storage.k8s.io')]: authorizeCsiNode,
    [name('resourceslices.resource.k8s.io')]: authorizeResourceSlice,
    nodes: authorizeNode,
    pods: authorizePod,
  };

  async function authorizeRelated(node: string, what: RelatedResource, { namespace, name: object }: Attributes): Promise<Decision> {
    if (object === '') return noOpinionDecision('No Object name found');
    if (await isRelated(source, product.rename, node, what, namespace, object)) return allowDecision(`node ${node} needs it`);
    return noOpinionDecision(`no relationship found between node '${node}' and this object`);
  }

  function authorizeGet(node: string, what: RelatedResource, attributes: Attributes): Answer {
    if (attributes.verb !== 'get') return noOpinionDecision('can only get individual resources of this type');
    return attributes.subresource === '' ? authorizeRelated(node, what, attributes) : noOpinionDecision('cannot get subresource');
  }

  function authorizeReadNamespaced(node: string, what: RelatedResource, attributes: Attributes): Answer {
    if (!['get', 'list', 'watch'].includes(attributes.verb)) return noOpinionDecision('can only read resources of this type');
    if (attributes.subresource !== '') return noOpinionDecision('cannot read subresource');
    return attributes.namespace === ''
      ? noOpinionDecision('can only read namespaced object of this type')
      : authorizeRelated(node, what, attributes);
  }

  function authorizeStatusUpdate(node: string, attributes: Attributes): Answer {
    if (attributes.verb !== 'update' && attributes.verb !== 'patch') return noOpinionDecision('can only get/update/patch this type');
    return authorizeRelated(node, 'persistentvolumeclaims', attributes);
  }

  function authorizeServiceAccount(node: string, attributes: Attributes): Answer {
    if (attributes.verb === 'get' && attributes.subresource === '') return authorizeReadNamespaced(node, 'serviceaccounts', attributes);
    if (attributes.verb !== 'create' || attributes.name === '')
      return noOpinionDecision('can only create tokens for individual service accounts');
    if (attributes.subresource !== 'token') return noOpinionDecision('can only create token subresource of serviceaccount');
    return authorizeRelated(node, 'serviceaccounts', attributes);
  }

  function authorizeLease(node: string, { verb, namespace, name: object }: Attributes): Decision {
    if (!ownVerbs.includes(verb)) return noOpinionDecision('can only get, create, update, patch, or delete a node lease');
    const home = product.names.nodeLeaseNamespace;
    if (namespace !== home) return noOpinionDecision(`can only access leases in the ${JSON.stringify(home)} system namespace`);
    if (verb !== 'create' && object !== node)
      return noOpinionDecision('can only access node lease with the same name as the requesting node');
    return allowDecision(`lease of node ${node}`);
  }

  function authorizeResourceSlice(node: string, attributes: Attributes): Answer {
    if (attributes.subresource !== '') return noOpinionDecision('cannot authorize ResourceSlice subresources');
    switch (attributes.verb) {
      case 'create':
        return allowDecision('nodes make ResourceSlices');
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return authorizeRelated(node, 'resourceslices', attributes);
      case 'watch':
      case 'list':
      case 'deletecollection':
        if (selectsNode(attributes, 'spec.nodeName', node)) return allowDecision(`ResourceSlices of node ${node}`);
        return noOpinionDecision('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return noOpinionDecision(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }

  function authorizePod(node: string, attributes: Attributes): Answer {
    const { verb, subresource, name: pod } = attributes;
    if (subresource === '' && verb === 'get') return authorizeRelated(node, 'pods', attributes);
    if (subresource === '' && (verb === 'list' || verb === 'watch')) {
      if (selectsNode(attributes, 'spec.nodeName', node)) return allowDecision(`pods of node ${node}`);
      return pod === ''
        ? noOpinionDecision('can only list/watch pods with spec.nodeName field selector')
        : authorizeRelated(node, 'pods', attributes);
    }
    return podWrites.includes(`${verb} ${subresource}`.trim()) ? allowDecision('nodes write pods') : noOpinionDecision('');
  }

  return {
    name: 'Node',
    authorize(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return notNode;
      if (node === '') return noOpinionDecision(`unknown node for user ${JSON.stringify(attributes.user.username)}`);
      const { isResourceRequest, group, resource } = attributes;
      const qualified = group === '' ? resource : `${resource}.${group}`;
      const own = isResourceRequest && Object.hasOwn(special, qualified) ? special[qualified] : undefined;
      if (own) return own(node, attributes);
      const rule = rules.find((one) => ruleAllows(one, attributes));
      return rule ? allowDecision(`rule of all nodes: ${describeRule(rule)}`) : noOpinionDecision('');
    },
    rulesFor: (user) =>
      nodeNameOf(user) === undefined
        ? noRules
        : { ...noRules, incomplete: true, error: 'node authorizer does not support user rule resolution' },
  };
}

const ownVerbs: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];
const podWrites: readonly string[] = ['create', 'delete', 'update status', 'patch status', 'create eviction'];

/** The node name of a user; undefined for other users. */
function nodeNameOf({ username, groups }: Identity): string | undefined {
  return username.startsWith(prefix) && groups.includes(nodesGroup) ? username.slice(prefix.length) : undefined;
}

function authorizeNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource === '' && ['create', 'update', 'patch'].includes(verb)) return allowDecision('nodes write nodes');
  if (subresource === 'status' && ['update', 'patch'].includes(verb)) return allowDecision('nodes write nodes');
  if (subresource !== '' || !['get', 'list', 'watch'].includes(verb)) return noOpinionDecision('');
  if (name === node) return allowDecision(`node ${node} itself`);
  if (name === '') return noOpinionDecision(`node '${node}' cannot read all nodes, only its own Node object`);
  return noOpinionDecision(`node '${node}' cannot read '${name}', only its own Node object`);
}

function authorizeCsiNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (!ownVerbs.includes(verb)) return noOpinionDecision('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return noOpinionDecision('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node) return noOpinionDecision('can only access CSINode with the same name as the requesting node');
  return allowDecision(`CSINode of node ${node}`);
}

function selectsNode(attributes: Attributes, field: string, node: string): boolean {
  return attributes.selectors().field.some((requirement) => requirement.equal && requirement.field === field && requirement.value === node);
}

function allowDecision(why: string): Decision {
  return { verdict: 'allow', reason: '', evidence: `Node: ${why}` };
}

function noOpinionDecision(reason: string): Decision {
  return noOpinion(reason, `Node: ${reason === '' ? 'no rule' : reason}`);
}
