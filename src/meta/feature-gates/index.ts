/** Features that are switched on and off by name. */
export {
  createFeatureGates,
  type FeatureGate,
  FeatureGateError,
  type FeatureGates,
  parseTruth,
} from './feature-gates.ts';
