import { componentsScript, coreScripts, descriptionsFile, engineScript } from 'virtual:tabplane-build';
import { serveInWorker } from './serve-in-worker.ts';

declare const self: { readonly location: Location };

/** Entry point of the worker, for pages of the scripts' origin whose policy refuses workers from blobs. */
const at = (file: string): string => new URL(file, self.location.href).href;
serveInWorker({
  core: coreScripts.map(at),
  engine: at(engineScript),
  components: at(componentsScript),
  descriptions: at(descriptionsFile),
});
