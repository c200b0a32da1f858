import { type JsonObject, recordAt } from '../../meta/index.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { idOf, type ResourceId } from './resource-id.ts';

/** What a generator does with an object that exists. */
export type Behavior = 'create' | 'merge' | 'replace';

/** An object of a kustomization, and how it came to its name. */
export class Resource {
  #object: JsonObject;
  #id: ResourceId | undefined;
  readonly behavior: Behavior;
  /** Whether the name gets a hash of the content. */
  needsHash: boolean;
  /** Ids before transformers changed them, the first one first. */
  readonly previousIds: ResourceId[] = [];
  readonly prefixes: string[] = [];
  readonly suffixes: string[] = [];

  constructor(object: JsonObject, { behavior = 'create', needsHash = false }: { behavior?: Behavior; needsHash?: boolean } = {}) {
    this.#object = object;
    this.behavior = behavior;
    this.needsHash = needsHash;
  }

  get object(): JsonObject {
    return this.#object;
  }

  set object(object: JsonObject) {
    this.#object = object;
    this.#id = undefined;
  }

  /** Computed once for each state of the object, since every resource is compared with every other one. */
  get id(): ResourceId {
    this.#id ??= idOf(this.#object);
    return this.#id;
  }

  get originalId(): ResourceId {
    return this.previousIds[0] ?? this.id;
  }

  /** All ids that the object has had, the current one last. */
  get ids(): readonly ResourceId[] {
    return [...this.previousIds, this.id];
  }

  storePreviousId(): void {
    this.previousIds.push(this.id);
  }

  rename(name: string): void {
    this.object = setMetadata(this.object, { name });
  }

  get metadata(): JsonObject {
    return metadataOf(this.object);
  }
}

/** The merged members of a mapping that both objects may have; those of the second win. Undefined: none. */
export function mergedMember(one: JsonObject, other: JsonObject, name: string): JsonObject | undefined {
  const merged = { ...recordAt(one, name), ...recordAt(other, name) };
  return Object.keys(merged).length > 0 ? merged : undefined;
}
