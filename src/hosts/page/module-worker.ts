/**
 * Starts a worker that imports a module and calls one of its exports with its scope. A module worker from a blob fails where the origin is
 * opaque; a classic one with import() works there, too.
 */
export function startModuleWorker(moduleUrl: string, exported: string): Worker {
  const source = `import(${JSON.stringify(moduleUrl)}).then((it) => it.${exported}(self), (error) => postMessage({ kind: 'broken', message: String(error) }));`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url);
  // The browser has the script when the worker sends its first message.
  const revoke = (): void => URL.revokeObjectURL(url);
  worker.addEventListener('message', revoke, { once: true });
  worker.addEventListener('error', revoke, { once: true });
  return worker;
}
