import { componentsScript, coreScripts, descriptionsFile, engineScript, kustomizeScript } from 'virtual:tabplane-build';
import type { ScriptUrls } from './serve-in-worker.ts';

/** `at` returns the absolute URL of a built file. */
export const scriptUrls = (at: (file: string) => string): ScriptUrls => ({
  core: coreScripts.map(at),
  engine: at(engineScript),
  kustomize: at(kustomizeScript),
  components: at(componentsScript),
  descriptions: at(descriptionsFile),
});
