/** What the console's home looks like from the start: for hosts that run its commands without its page. */
export { clusterOrigin, identities } from './identities.ts';
export { newKubeconfig } from './new-kubeconfig.ts';
export { homeDirectory, kubeconfigPath } from './virtual-home.ts';
