/** Feature gates. */
export {
  createFeatureGates,
  FeatureGateError,
  type FeatureGates,
  parseBool,
} from './feature-gates.ts';
