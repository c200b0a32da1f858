/** The initial home of the console, for hosts that run its commands without the page. */
export { clusterOrigin, homeDirectory, identities, kubeconfigPath } from './identities.ts';
export { newKubeconfig } from './new-kubeconfig.ts';
