/** Builds kustomizations: `kubectl kustomize`, and `-k` of other commands, which load this module on demand. */
export { buildKustomization } from './build.ts';
export { kustomize } from './command.ts';
