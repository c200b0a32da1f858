/** What controllers, scheduler, nodes and containers share about pods and nodes. Cf. k8s.io/component-helpers. */

export { containerStatusesOf } from './container-statuses.ts';
export { allAddresses, conflictsWith, type HostPort, hostPortsOf } from './host-ports.ts';
export {
  allowedNodeNames,
  matchesNode,
  matchesNodeTerms,
  type NodeIdentity,
  type NodeTerms,
  parseNodeSelector,
  parseNodeTerm,
  type RequiredNodeAffinity,
  requiredNodeAffinity,
} from './node-affinity.ts';
export { compareByCreation, controllerOf } from './object-meta.ts';
export { type Amounts, amountOf, amountsOf, podRequests } from './pod-requests.ts';
export { isSidecar, runningContainersOf, sidecarsOf } from './sidecars.ts';
export { sysctlName } from './sysctl-name.ts';
export { repelsPods, toleratesTaint, untoleratedTaint } from './taints.ts';
