/** Feature gates. */
export {
  createFeatureGates,
  type FeatureGate,
  FeatureGateError,
  type FeatureGates,
  parseBool,
} from './feature-gates.ts';
