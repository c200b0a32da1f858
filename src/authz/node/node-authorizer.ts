import type { Product } from '../../meta/index.ts';
import type { Attributes, Identity } from '../attributes.ts';
import { type Authorizer, type Decision, noOpinion, noRules } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/policy.ts';
import { describeRule, ruleAllows } from '../rbac/rules.ts';
import { isRelated, type NodeSource, type Related } from './node-relations.ts';

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
  const special: Readonly<Record<string, (node: string, asked: Attributes) => Answer>> = {
    secrets: (node, asked) => readNamespaced(node, 'secrets', asked),
    configmaps: (node, asked) => readNamespaced(node, 'configmaps', asked),
    persistentvolumeclaims: (node, asked) =>
      asked.subresource === 'status' ? writeStatus(node, asked) : getOne(node, 'persistentvolumeclaims', asked),
    persistentvolumes: (node, asked) => getOne(node, 'persistentvolumes', asked),
    [name('resourceclaims.resource.k8s.io')]: (node, asked) => getOne(node, 'resourceclaims', asked),
    [name('volumeattachments.storage.k8s.io')]: (node, asked) => getOne(node, 'volumeattachments', asked),
    serviceaccounts: serviceAccount,
    [name('leases.coordination.k8s.io')]: lease,
    [name('csinodes.storage.k8s.io')]: csiNode,
    [name('resourceslices.resource.k8s.io')]: resourceSlice,
    nodes: ownNode,
    pods,
  };

  async function related(node: string, what: Related, { namespace, name: object }: Attributes): Promise<Decision> {
    if (object === '') return refused('No Object name found');
    if (await isRelated(source, product.rename, node, what, namespace, object)) return allowed(`node ${node} needs it`);
    return refused(`no relationship found between node '${node}' and this object`);
  }

  function getOne(node: string, what: Related, asked: Attributes): Answer {
    if (asked.verb !== 'get') return refused('can only get individual resources of this type');
    return asked.subresource === '' ? related(node, what, asked) : refused('cannot get subresource');
  }

  function readNamespaced(node: string, what: Related, asked: Attributes): Answer {
    if (!['get', 'list', 'watch'].includes(asked.verb)) return refused('can only read resources of this type');
    if (asked.subresource !== '') return refused('cannot read subresource');
    return asked.namespace === '' ? refused('can only read namespaced object of this type') : related(node, what, asked);
  }

  function writeStatus(node: string, asked: Attributes): Answer {
    if (asked.verb !== 'update' && asked.verb !== 'patch') return refused('can only get/update/patch this type');
    return related(node, 'persistentvolumeclaims', asked);
  }

  function serviceAccount(node: string, asked: Attributes): Answer {
    if (asked.verb === 'get' && asked.subresource === '') return readNamespaced(node, 'serviceaccounts', asked);
    if (asked.verb !== 'create' || asked.name === '') return refused('can only create tokens for individual service accounts');
    if (asked.subresource !== 'token') return refused('can only create token subresource of serviceaccount');
    return related(node, 'serviceaccounts', asked);
  }

  function lease(node: string, { verb, namespace, name: object }: Attributes): Decision {
    if (!ownVerbs.includes(verb)) return refused('can only get, create, update, patch, or delete a node lease');
    const home = product.names.nodeLeaseNamespace;
    if (namespace !== home) return refused(`can only access leases in the ${JSON.stringify(home)} system namespace`);
    if (verb !== 'create' && object !== node) return refused('can only access node lease with the same name as the requesting node');
    return allowed(`lease of node ${node}`);
  }

  function resourceSlice(node: string, asked: Attributes): Answer {
    if (asked.subresource !== '') return refused('cannot authorize ResourceSlice subresources');
    switch (asked.verb) {
      case 'create':
        return allowed('nodes make ResourceSlices');
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return related(node, 'resourceslices', asked);
      case 'watch':
      case 'list':
      case 'deletecollection':
        if (selectsNode(asked, 'spec.nodeName', node)) return allowed(`ResourceSlices of node ${node}`);
        return refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return refused(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }

  function pods(node: string, asked: Attributes): Answer {
    const { verb, subresource, name: pod } = asked;
    if (subresource === '' && verb === 'get') return related(node, 'pods', asked);
    if (subresource === '' && (verb === 'list' || verb === 'watch')) {
      if (selectsNode(asked, 'spec.nodeName', node)) return allowed(`pods of node ${node}`);
      return pod === '' ? refused('can only list/watch pods with spec.nodeName field selector') : related(node, 'pods', asked);
    }
    return podWrites.includes(`${verb} ${subresource}`.trim()) ? allowed('nodes write pods') : refused('');
  }

  return {
    name: 'Node',
    authorize(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return notNode;
      if (node === '') return refused(`unknown node for user ${JSON.stringify(attributes.user.username)}`);
      const { isResourceRequest, group, resource } = attributes;
      const qualified = group === '' ? resource : `${resource}.${group}`;
      const own = isResourceRequest && Object.hasOwn(special, qualified) ? special[qualified] : undefined;
      if (own) return own(node, attributes);
      const rule = rules.find((one) => ruleAllows(one, attributes));
      return rule ? allowed(`rule of all nodes: ${describeRule(rule)}`) : refused('');
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

function ownNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource === '' && ['create', 'update', 'patch'].includes(verb)) return allowed('nodes write nodes');
  if (subresource === 'status' && ['update', 'patch'].includes(verb)) return allowed('nodes write nodes');
  if (subresource !== '' || !['get', 'list', 'watch'].includes(verb)) return refused('');
  if (name === node) return allowed(`node ${node} itself`);
  if (name === '') return refused(`node '${node}' cannot read all nodes, only its own Node object`);
  return refused(`node '${node}' cannot read '${name}', only its own Node object`);
}

function csiNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (!ownVerbs.includes(verb)) return refused('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refused('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node) return refused('can only access CSINode with the same name as the requesting node');
  return allowed(`CSINode of node ${node}`);
}

function selectsNode(asked: Attributes, field: string, node: string): boolean {
  return asked.selectors().field.some((requirement) => requirement.equal && requirement.field === field && requirement.value === node);
}

function allowed(why: string): Decision {
  return { verdict: 'allow', reason: '', evidence: `Node: ${why}` };
}

function refused(reason: string): Decision {
  return noOpinion(reason, `Node: ${reason === '' ? 'no rule' : reason}`);
}
