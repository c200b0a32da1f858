import { scriptUrls } from './script-urls.ts';
import { serveInWorker } from './serve-in-worker.ts';

declare const self: { readonly location: Location };

/** Entry point of the worker, for pages of the scripts' origin whose policy refuses workers from blobs. */
serveInWorker(scriptUrls((file) => new URL(file, self.location.href).href));
