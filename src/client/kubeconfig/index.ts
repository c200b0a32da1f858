export { decodeKubeconfig, fieldTypes } from './kubeconfig.ts';
