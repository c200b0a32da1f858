import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** A static file server like those of project pages: files below a path, 404 for other paths. */
export interface StaticServer {
  /** Ends with a slash. */
  readonly url: string;
  /** The served folder. A test assigns another one to deploy a new version of the page. */
  root: string;
  /** Additional headers of all responses. */
  headers: Readonly<Record<string, string>>;
  /** Generated pages, and files by the end of their name, by path. */
  readonly pages: Map<string, string>;
  /** Returns when to respond to a path; undefined: immediately. */
  delay: (path: string) => Promise<void> | undefined;
  /** Requested paths, in order. */
  readonly requestedPaths: string[];
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

export async function startStaticServer(root: string, path = '/'): Promise<StaticServer> {
  const state: Omit<StaticServer, 'url' | 'close'> = { root, headers: {}, requestedPaths: [], pages: new Map(), delay: () => undefined };
  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    state.requestedPaths.push(pathname);
    await state.delay(pathname);
    const below = pathname.startsWith(path) ? pathname.slice(path.length) : undefined;
    const file = below === undefined ? '' : join(state.root, normalize(below === '' ? 'index.html' : below));
    for (const [name, value] of Object.entries(state.headers)) response.setHeader(name, value);
    // Like GitHub Pages, so that a frame with an opaque origin can load the files.
    response.setHeader('access-control-allow-origin', '*');
    const page = state.pages.get(pathname);
    if (page !== undefined) {
      response.setHeader('content-type', types[extname(pathname)] ?? 'text/html; charset=utf-8');
      response.end(page);
      return;
    }
    if (below === undefined || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>404</title>nothing here');
      return;
    }
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'max-age=600');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: `http://localhost:${port}${path}`, close: () => closeServer(server) });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
