/** Evaluation of lesson checks, run in the host of the cluster. */
export { evaluateChecks } from './evaluate-checks.ts';
