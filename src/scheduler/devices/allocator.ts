import type { NodeIdentity } from '../../component-helpers/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { resourcev1 } from '../../schema/api/index.ts';
import { allocationResult, type ResultOptions } from './allocation-result.ts';
import { type Candidate, type Choice, satisfiesConstraint } from './constraints.ts';
import { type ClassRequest, classRequestsOf } from './device-requests.ts';
import { type DevicePool, gatherPools, selectsNode } from './pools.ts';
import { hasUntoleratedTaint } from './taints.ts';

/** Compiles a CEL selector. Both functions throw errors with the messages of the expression language. */
export type DeviceSelectorCompiler = (
  source: string,
) => (device: {
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, resourcev1.DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, resourcev1.DeviceCapacity>>;
}) => boolean;

export interface AllocatorOptions extends ResultOptions {
  readonly slices: readonly resourcev1.ResourceSlice[];
  /** Devices in use: `driver/pool/device`. */
  readonly allocated: ReadonlySet<string>;
  readonly compile: DeviceSelectorCompiler;
}

/** Something is wrong with a claim or a class. */
class AllocationError extends Error {
  override readonly name = 'AllocationError';
}

/** Upstream AllocationResultsMaxSize. */
const maxDevices = 32;
/** Attempts to place a device before the search ends. Upstream ends it after filterTimeout. */
const maxSteps = 100_000;

/** Allocates devices on one node for the claims of a pod. Cf. k8s.io/dynamic-resource-allocation/structured Allocator. */
export class Allocator {
  readonly #options: AllocatorOptions;
  readonly #claims: readonly resourcev1.ResourceClaim[];

  constructor(options: AllocatorOptions, claims: readonly resourcev1.ResourceClaim[]) {
    this.#options = options;
    this.#claims = claims;
  }

  /** One result for each claim; undefined: they cannot all be allocated. @throws AllocationError */
  allocate(node: NodeIdentity): readonly resourcev1.AllocationResult[] | 'timedOut' | undefined {
    const pools = gatherPools(this.#options.slices, node);
    const search = new Search(this.#options, this.#claims, { node, pools });
    const found = search.run();
    if (found === 'timedOut') return found;
    if (!found && pools.some(({ isInvalid }) => isInvalid)) throw new AllocationError('invalid resource pools were encountered');
    return found ? search.results() : undefined;
  }
}

/** An alternative of a request, with its devices. */
interface Alternative {
  readonly request: ClassRequest;
  /** The devices of the node; for a request of all devices those that are selected. */
  readonly candidates: readonly Candidate[];
  /** Whether the class and the request select a device: an evaluation is expensive. */
  readonly isSelected: (candidate: Candidate) => boolean;
  readonly count: number;
}

interface Position {
  readonly claim: number;
  readonly request: number;
}

/** A depth-first search, which ends with the first solution. */
class Search {
  readonly #options: AllocatorOptions;
  readonly #claims: readonly resourcev1.ResourceClaim[];
  readonly #node: NodeIdentity;
  readonly #pools: readonly DevicePool[];
  /** By claim and request. */
  readonly #alternatives: readonly (readonly (readonly Alternative[])[])[];
  /** The devices chosen so far, by claim. */
  readonly #choices: readonly Choice[][];
  readonly #chosen: readonly ClassRequest[][];
  #steps = 0;

  constructor(
    options: AllocatorOptions,
    claims: readonly resourcev1.ResourceClaim[],
    { node, pools }: { readonly node: NodeIdentity; readonly pools: readonly DevicePool[] },
  ) {
    this.#options = options;
    this.#claims = claims;
    this.#node = node;
    this.#pools = pools;
    this.#choices = claims.map(() => []);
    this.#chosen = claims.map(() => []);
    this.#alternatives = claims.map((claim) => this.#alternativesOf(claim));
  }

  run(): boolean | 'timedOut' {
    const found = this.#place({ claim: 0, request: 0 });
    return this.#steps > maxSteps ? 'timedOut' : found;
  }

  results(): readonly resourcev1.AllocationResult[] {
    return this.#claims.map((claim, index) =>
      allocationResult(claim, this.#choices[index] ?? [], this.#chosen[index] ?? [], this.#options),
    );
  }

  #alternativesOf(claim: resourcev1.ResourceClaim): readonly (readonly Alternative[])[] {
    const requests = (claim.spec.devices.requests ?? []).map((request) =>
      classRequestsOf(request).map((one) => this.#alternative(claim, one)),
    );
    const least = requests.reduce((sum, alternatives) => sum + Math.min(...alternatives.map(({ count }) => count)), 0);
    if (least > maxDevices) {
      throw new AllocationError(`claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${maxDevices}`);
    }
    return requests;
  }

  /** Cf. validateDeviceRequest. */
  #alternative(claim: resourcev1.ResourceClaim, request: ClassRequest): Alternative {
    const fail = (why: string): never => {
      throw new AllocationError(`claim ${keyOf(claim)}, request ${ownName(request)}: ${why}`);
    };
    const isAll = request.mode === 'All';
    if (!isAll && request.mode !== 'ExactCount') fail(`unsupported count mode ${request.mode}`);
    const known = new Map<string, boolean>();
    const isSelected = (candidate: Candidate): boolean => {
      const selected = known.get(candidate.id) ?? this.#isSelected(claim, request, candidate);
      known.set(candidate.id, selected);
      return selected;
    };
    const candidates: Candidate[] = [];
    for (const pool of this.#pools) {
      if (isAll && pool.isIncomplete) fail(`asks for all devices, but resource pool ${pool.id} is currently being updated`);
      if (isAll && pool.isInvalid) fail(`asks for all devices, but resource pool ${pool.id} is currently invalid`);
      if (pool.isIncomplete || pool.isInvalid) continue;
      const devices = this.#candidatesOf(pool);
      candidates.push(...(isAll ? devices.filter(isSelected) : devices));
    }
    return { request, candidates, isSelected, count: isAll ? candidates.length : request.count };
  }

  #candidatesOf({ driver, name, slices }: DevicePool): readonly Candidate[] {
    return slices.flatMap((slice) =>
      (slice.spec.devices ?? [])
        .filter((device) => !slice.spec.perDeviceNodeSelection || selectsNode(device, this.#node))
        .map((device) => ({ id: `${driver}/${name}/${device.name}`, driver, pool: name, device, slice })),
    );
  }

  #isSelected(claim: resourcev1.ResourceClaim, { className, selectors }: ClassRequest, candidate: Candidate): boolean {
    // These need features that are off by default.
    if (candidate.device.consumesCounters?.length || candidate.device.bindingConditions?.length) return false;
    const ofClass = this.#options.classOf(className)?.spec.selectors ?? [];
    return (
      ofClass.every((selector, index) => this.#matches(`class ${className}: selector #${index}`, selector, candidate)) &&
      selectors.every((selector, index) => this.#matches(`claim ${keyOf(claim)}: selector #${index}`, selector, candidate))
    );
  }

  #matches(where: string, { cel }: resourcev1.DeviceSelector, { driver, device }: Candidate): boolean {
    if (!cel) throw new AllocationError(`${where}: CEL expression empty (unsupported selector type?)`);
    let matcher: ReturnType<DeviceSelectorCompiler>;
    try {
      matcher = this.#options.compile(cel.expression);
    } catch (error) {
      throw new AllocationError(`${where}: CEL compile error: ${errorMessage(error)}`, { cause: error });
    }
    const { attributes = {}, capacity = {} } = device;
    try {
      return matcher({ driver, attributes, capacity });
    } catch (error) {
      throw new AllocationError(`${where}: CEL runtime error: ${errorMessage(error)}`, { cause: error });
    }
  }

  /** Places the requests from a position on. */
  #place(position: Position): boolean {
    const requests = this.#alternatives[position.claim];
    if (!requests) return true;
    const alternatives = requests[position.request];
    if (!alternatives) return this.#place({ claim: position.claim + 1, request: 0 });
    for (const alternative of alternatives) {
      const { request, candidates, count } = alternative;
      const isEmpty = request.mode === 'All' && candidates.length === 0;
      if (isEmpty || (this.#choices[position.claim]?.length ?? 0) + count > maxDevices) continue;
      this.#chosen[position.claim]?.push(request);
      if (this.#placeDevices(position, alternative, { index: 0, start: 0 })) return true;
      this.#chosen[position.claim]?.pop();
    }
    return false;
  }

  /** Chooses the devices of a request in their order, since other orders are the same solution. */
  #placeDevices(
    position: Position,
    alternative: Alternative,
    { index, start }: { readonly index: number; readonly start: number },
  ): boolean {
    if (++this.#steps > maxSteps) return false;
    const { request, candidates, count } = alternative;
    if (index >= count) return this.#place({ claim: position.claim, request: position.request + 1 });
    // All devices are wanted, so that there is no other choice.
    const end = request.mode === 'All' ? start + 1 : candidates.length;
    for (let at = start; at < end; at++) {
      const candidate = candidates[at];
      if (!candidate || !this.#take(position, alternative, candidate)) continue;
      if (this.#placeDevices(position, alternative, { index: index + 1, start: at + 1 })) return true;
      this.#choices[position.claim]?.pop();
      if (this.#steps > maxSteps) return false;
    }
    return false;
  }

  /** Cf. allocateDevice. */
  #take({ claim: index }: Position, { request, isSelected }: Alternative, candidate: Candidate): boolean {
    const claim = this.#claims[index];
    const choices = this.#choices[index];
    if (!claim || !choices) return false;
    const usesIt = (one: Choice): boolean => one.candidate.id === candidate.id;
    const isInUse = request.adminAccess
      ? choices.some(usesIt)
      : this.#options.allocated.has(candidate.id) || this.#choices.some((others) => others.some(usesIt));
    if (isInUse || !isSelected(candidate) || hasUntoleratedTaint(candidate.device, request.tolerations)) return false;
    const added = { request, candidate };
    if (!(claim.spec.devices.constraints ?? []).every((constraint) => satisfiesConstraint(constraint, choices, added))) {
      if (request.mode !== 'All') return false;
      throw new AllocationError(
        `claim ${keyOf(claim)}, request ${ownName(request)}: cannot add device ${candidate.id} because a claim constraint would not be satisfied`,
      );
    }
    choices.push(added);
    return true;
  }
}

/** The name of an alternative without that of its request, as upstream's errors have it. */
const ownName = ({ name }: ClassRequest): string => name.slice(name.indexOf('/') + 1);

const keyOf = ({ metadata: { namespace, name } }: resourcev1.ResourceClaim): string => `${namespace}/${name}`;
