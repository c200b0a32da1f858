/** Checks of lessons, evaluated where the cluster is. */
export { lookAt } from './look.ts';
