/** Evaluation of lesson checks, run in the host of the cluster. */
export { lookAt } from './evaluate-checks.ts';
