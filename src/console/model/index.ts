/** What the console's home looks like from the start: for hosts that run its commands without its page. */
export { clusterOrigin, homeDirectory, identities, kubeconfigPath } from './identities.ts';
export { newKubeconfig } from './new-kubeconfig.ts';
