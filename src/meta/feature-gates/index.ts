/** Feature gates. */
export {
  createFeatureGates,
  type FeatureGate,
  FeatureGateError,
  type FeatureGates,
  parseTruth,
} from './feature-gates.ts';
