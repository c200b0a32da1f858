/** What the console's home looks like from the start: for hosts that run its commands without its page. */
export { clusterOrigin, identities, newKubeconfig } from './identities.ts';
export { homeDirectory, kubeconfigPath } from './virtual-home.ts';
