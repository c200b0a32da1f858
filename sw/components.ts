/** Controllers, scheduler and nodes: loaded by a worker of the page, and by users of the library on demand. */
export * from '../src/hosts/components/index.ts';
