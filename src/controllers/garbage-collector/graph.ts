import type { WorkQueue } from '../../client/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import { foregroundFinalizer, isBeingDeleted, orphanFinalizer, startsWaitingFor, waitsFor } from './finalizers.ts';
import { alternateIdentity, type GraphNode, partitionDependents } from './graph-node.ts';
import type { IdentityCache } from './identity-cache.ts';
import { isSameIdentity, type ObjectIdentity, ownerIdentity, refersTo } from './object-identity.ts';
import { compareOwners, unblockedOwners } from './owner-changes.ts';

export interface GraphOptions {
  /** Nodes whose deletion, or that of their dependents, is to be decided. */
  readonly attemptToDelete: Pick<WorkQueue<GraphNode>, 'add' | 'addRateLimited'>;
  /** Nodes whose dependents become orphans. */
  readonly attemptToOrphan: Pick<WorkQueue<GraphNode>, 'add'>;
  /** Identities of owners that do not exist. */
  readonly absentOwners: IdentityCache;
  /** Called for a dependent whose owner is in another namespace. */
  readonly onInvalidNamespace: (dependent: GraphNode, ownerUid: string) => void;
}

/**
 * The graph of owners and dependents, from the observed changes of all objects. It may lag behind the stored objects, so it only finds
 * the candidates for deletion. Cf. pkg/controller/garbagecollector GraphBuilder.
 */
export class Graph {
  readonly #options: GraphOptions;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(options: GraphOptions) {
    this.#options = options;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** An object was added or changed. `before` is its last known metadata. */
  set(identity: ObjectIdentity, metadata: metav1.ObjectMeta, before?: metav1.ObjectMeta): void {
    const { ownerReferences: owners = [] } = metadata;
    const known = this.#nodes.get(identity.uid);
    const node = known ? this.#observe(known, identity) : this.#insert(identity, metadata);
    if (known) this.#updateOwners(node, owners);
    if (isBeingDeleted(metadata)) node.isBeingDeleted = true;
    this.#processTransitions(node, metadata, before);
  }

  /** An object was deleted. */
  delete(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (node) this.#remove(this.#observe(node, identity), identity);
  }

  /** A live read found no object of this identity: a virtual node is removed, or gets another identity. */
  deleteAbsent(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (!node) return;
    const isSame = isSameIdentity(node.identity, identity);
    const { matching, mismatching } = partitionDependents(node.dependents, identity);
    const isRetained = node.isVirtual ? mismatching.length > 0 : !isSame;
    if (!isRetained) {
      this.#remove(node, identity);
      return;
    }
    if (matching.length > 0) this.#options.absentOwners.add(identity);
    for (const dependent of matching) this.#options.attemptToDelete.add(dependent);
    const replacement = node.isVirtual && isSame ? alternateIdentity(mismatching, identity) : undefined;
    // A copy, since the old identity of the node may be in use.
    if (replacement) this.#options.attemptToDelete.addRateLimited(this.#replace(node, replacement));
  }

  /** Dependents that referred to the owner by another identity than the observed one may have to be deleted. */
  #observe(node: GraphNode, identity: ObjectIdentity): GraphNode {
    if (!node.isVirtual) return node;
    if (isSameIdentity(node.identity, identity)) {
      node.isVirtual = false;
      return node;
    }
    for (const dependent of partitionDependents(node.dependents, identity).mismatching) {
      if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
        this.#options.onInvalidNamespace(dependent, identity.uid);
      this.#options.attemptToDelete.add(dependent);
    }
    const observed = this.#replace(node, identity);
    observed.isVirtual = false;
    return observed;
  }

  #replace(node: GraphNode, identity: ObjectIdentity): GraphNode {
    const replacement = { ...node, identity };
    this.#nodes.set(identity.uid, replacement);
    return replacement;
  }

  #insert(identity: ObjectIdentity, metadata: metav1.ObjectMeta): GraphNode {
    const node: GraphNode = {
      identity,
      dependents: new Set(),
      owners: metadata.ownerReferences ?? [],
      isVirtual: false,
      isBeingDeleted: isBeingDeleted(metadata),
      isDeletingDependents: waitsFor(metadata, foregroundFinalizer),
    };
    this.#nodes.set(identity.uid, node);
    this.#addDependent(node, node.owners);
    return node;
  }

  #updateOwners(node: GraphNode, owners: readonly metav1.OwnerReference[]): void {
    if (node.owners.length === 0 && owners.length === 0) return;
    const changes = compareOwners(node.owners, owners);
    for (const uid of unblockedOwners(changes)) this.#enqueue(uid);
    node.owners = owners;
    this.#addDependent(node, changes.added);
    for (const { uid } of changes.removed) this.#nodes.get(uid)?.dependents.delete(node);
  }

  #addDependent(node: GraphNode, owners: readonly metav1.OwnerReference[]): void {
    let mayBeInvalid = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner) {
        owner.dependents.add(node);
        mayBeInvalid = this.#mayBeInvalid(node, reference, owner) || mayBeInvalid;
      } else this.#options.attemptToDelete.add(this.#insertVirtual(reference, node));
    }
    if (mayBeInvalid) this.#options.attemptToDelete.add(node);
  }

  /** A live read then finds out whether the owner exists. */
  #insertVirtual(reference: metav1.OwnerReference, dependent: GraphNode): GraphNode {
    const virtual: GraphNode = {
      identity: ownerIdentity(reference, dependent.identity.namespace),
      dependents: new Set([dependent]),
      owners: [],
      isVirtual: true,
      isBeingDeleted: false,
      isDeletingDependents: false,
    };
    this.#nodes.set(reference.uid, virtual);
    return virtual;
  }

  #mayBeInvalid(node: GraphNode, reference: metav1.OwnerReference, owner: GraphNode): boolean {
    const { namespace } = owner.identity;
    if (namespace === '' || namespace === node.identity.namespace) return !refersTo(reference, owner.identity);
    if (!owner.isVirtual) this.#options.onInvalidNamespace(node, reference.uid);
    return true;
  }

  #processTransitions(node: GraphNode, metadata: metav1.ObjectMeta, before: metav1.ObjectMeta | undefined): void {
    const { attemptToDelete, attemptToOrphan } = this.#options;
    if (startsWaitingFor(metadata, before, orphanFinalizer)) attemptToOrphan.add(node);
    else if (startsWaitingFor(metadata, before, foregroundFinalizer)) {
      node.isDeletingDependents = true;
      for (const dependent of node.dependents) attemptToDelete.add(dependent);
      attemptToDelete.add(node);
    }
  }

  #remove(node: GraphNode, identity: ObjectIdentity): void {
    this.#nodes.delete(node.identity.uid);
    const owners = node.owners.flatMap(({ uid }) => this.#nodes.get(uid) ?? []);
    for (const owner of owners) owner.dependents.delete(node);
    if (node.dependents.size > 0) this.#options.absentOwners.add(identity);
    for (const dependent of node.dependents) this.#options.attemptToDelete.add(dependent);
    for (const owner of owners) if (owner.isDeletingDependents) this.#options.attemptToDelete.add(owner);
  }

  #enqueue(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node) this.#options.attemptToDelete.add(node);
  }
}
