/** What the controllers of nodes share. */
export { nodeCondition, zoneLabelOf, zoneOf } from './node-state.ts';
export { podsByNode } from './pods-by-node.ts';
export { hasTaint, type TaintChange, TaintWriter, taintChange } from './taints.ts';
