/** The controller of Deployments. */

export { deployments } from './deployment-controller.ts';
