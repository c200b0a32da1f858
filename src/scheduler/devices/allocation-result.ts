import type { corev1, resourcev1 } from '../../schema/api/index.ts';
import type { Choice } from './constraints.ts';
import type { ClassRequest } from './device-requests.ts';

export interface ResultOptions {
  readonly classOf: (name: string) => resourcev1.DeviceClass | undefined;
  /** Whether the feature gate DRADeviceTaints is enabled: results have the tolerations of their requests. */
  readonly deviceTaints: boolean;
}

/** The allocation of a claim as it is stored in its status. */
export function allocationResult(
  { spec: { devices } }: resourcev1.ResourceClaim,
  choices: readonly Choice[],
  chosen: readonly ClassRequest[],
  { classOf, deviceTaints }: ResultOptions,
): resourcev1.AllocationResult {
  const results = choices.map(({ request, candidate }) => ({
    request: request.name,
    driver: candidate.driver,
    pool: candidate.pool,
    device: candidate.device.name,
    ...(request.adminAccess ? { adminAccess: true } : {}),
    ...(deviceTaints && request.tolerations.length > 0 ? { tolerations: request.tolerations } : {}),
  }));
  const config = [...classConfiguration(chosen, classOf), ...claimConfiguration(devices, chosen)];
  const nodeSelector = nodeSelectorOf(choices);
  return { devices: { results, ...(config.length > 0 ? { config } : {}) }, ...(nodeSelector ? { nodeSelector } : {}) };
}

/** Each class once, with all requests of it. */
function classConfiguration(
  chosen: readonly ClassRequest[],
  classOf: (name: string) => resourcev1.DeviceClass | undefined,
): readonly resourcev1.DeviceAllocationConfiguration[] {
  const requestsOf = new Map<string, string[]>();
  for (const { name, className } of chosen) requestsOf.set(className, [...(requestsOf.get(className) ?? []), name]);
  return [...requestsOf].flatMap(([className, requests]) =>
    (classOf(className)?.spec.config ?? []).map((configuration) => ({ source: 'FromClass', requests, ...configuration })),
  );
}

function claimConfiguration(
  { config = [], requests = [] }: resourcev1.DeviceClaim,
  chosen: readonly ClassRequest[],
): readonly resourcev1.DeviceAllocationConfiguration[] {
  return config.flatMap(({ requests: names = [], ...configuration }) => {
    // No requests mean all of them.
    if (names.length === 0) return [{ source: 'FromClaim', ...configuration }];
    const entry = { source: 'FromClaim', requests: names, ...configuration };
    const matching = (requests ?? []).filter(({ name }, index) => names.includes(name) || names.includes(chosen[index]?.name ?? ''));
    return matching.map(() => entry);
  });
}

/** Undefined: the devices are available on all nodes. Cf. createNodeSelector. */
function nodeSelectorOf(choices: readonly Choice[]): corev1.NodeSelector | undefined {
  const fields: corev1.NodeSelectorRequirement[] = [];
  const expressions: corev1.NodeSelectorRequirement[] = [];
  for (const { candidate } of choices) {
    const { nodeName, nodeSelector } = candidate.slice.spec.perDeviceNodeSelection ? candidate.device : candidate.slice.spec;
    if (nodeName) {
      return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
    }
    const [term = {}] = nodeSelector?.nodeSelectorTerms ?? [];
    addMissing(fields, term.matchFields);
    addMissing(expressions, term.matchExpressions);
  }
  if (fields.length + expressions.length === 0) return undefined;
  const term = {
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
    ...(fields.length > 0 ? { matchFields: fields } : {}),
  };
  return { nodeSelectorTerms: [term] };
}

function addMissing(to: corev1.NodeSelectorRequirement[], added: readonly corev1.NodeSelectorRequirement[] = []): void {
  const known = new Set(to.map((one) => JSON.stringify(one)));
  to.push(...added.filter((one) => !known.has(JSON.stringify(one))));
}
