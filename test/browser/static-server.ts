import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** A plain static host, as pages of projects are served: files below a path, 404 for the rest. */
export interface StaticServer {
  /** With a slash at its end. */
  readonly url: string;
  /** The folder it serves; another one is a new version of the page. */
  root: string;
  /** Extra headers of all answers. */
  headers: Readonly<Record<string, string>>;
  /** Pages that are no files, by path. */
  readonly pages: Map<string, string>;
  /** Paths asked for, in order. */
  readonly asked: string[];
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
  const state = { root, headers: {} as Readonly<Record<string, string>>, asked: [] as string[], pages: new Map<string, string>() };
  const server = createServer((request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    state.asked.push(pathname);
    const below = pathname.startsWith(path) ? pathname.slice(path.length) : undefined;
    const file = below === undefined ? '' : join(state.root, normalize(below === '' ? 'index.html' : below));
    for (const [name, value] of Object.entries(state.headers)) response.setHeader(name, value);
    // As GitHub's pages do: a frame without an origin may load them.
    response.setHeader('access-control-allow-origin', '*');
    const page = state.pages.get(pathname);
    if (page !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
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
  return Object.assign(state, { url: `http://localhost:${port}${path}`, close: () => closed(server) });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
