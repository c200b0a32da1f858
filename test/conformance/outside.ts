import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutsideAnswer, OutsideHelper } from './scenario.d.mts';
import { pointer } from './scenario.mjs';

/** Loopback helpers that a scenario's server calls: token issuers, webhooks. The same as in conform.mjs. */
export interface Outside {
  /** `port-NAME` → port. */
  readonly variables: Readonly<Record<string, string>>;
  /** Returns and removes the requests that a helper has received. */
  readonly takeRequests: (name: string) => readonly unknown[];
  stop(): void;
}

export async function startOutside(helpers: Readonly<Record<string, OutsideHelper>>): Promise<Outside> {
  const variables: Record<string, string> = {};
  const received = new Map<string, unknown[]>(Object.keys(helpers).map((name) => [name, []]));
  const servers = await Promise.all(
    Object.entries(helpers).map(async ([name, helper]) => {
      const answer = (request: IncomingMessage, response: ServerResponse): void => {
        void answerRequest(helper, request, response, variables).then((recorded) => received.get(name)?.push(recorded));
      };
      const server = helper.tls ? createSecureServer(helper.tls, answer) : createPlainServer(answer);
      await listen(server, helper.port ?? 0);
      variables[`port-${name}`] = String((server.address() as AddressInfo).port);
      return server;
    }),
  );
  return {
    variables,
    takeRequests: (name) => received.get(name)?.splice(0) ?? [],
    stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Waits while the helper of another test, maybe in another process, uses a recorded port. */
async function listen(server: Server, port: number): Promise<void> {
  for (;;) {
    const listening = once(server, 'listening');
    server.listen(port, '127.0.0.1');
    try {
      await listening;
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
    await pause(20);
  }
}

/** Resolves with the request as scenarios record it, before it is answered. */
async function answerRequest(
  { answers }: OutsideHelper,
  request: IncomingMessage,
  response: ServerResponse,
  variables: Readonly<Record<string, string>>,
): Promise<unknown> {
  const body = parseBody(await text(request));
  const { method = '', url: path = '', headers } = request;
  const matches = ({ path: only, method: by, when = {} }: OutsideAnswer): boolean =>
    (only === undefined || only === path.split('?')[0]) &&
    (by === undefined || by === method) &&
    Object.entries(when).every(([at, value]) => JSON.stringify(pointer(body ?? {}, at)) === JSON.stringify(value));
  const found = answers.find(matches);
  setTimeout(() => {
    response.writeHead(found ? (found.status ?? 200) : 404, {
      'content-type': found?.json === undefined ? 'text/plain' : 'application/json',
      ...found?.headers,
    });
    response.end(found ? bodyOf(found, body, variables) : 'no answer');
  }, found?.delay ?? 0);
  return {
    method,
    path,
    ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
    ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
    ...(body === undefined ? {} : { body }),
  };
}

function parseBody(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // A body that is not JSON is recorded as text.
    return content === '' ? undefined : content;
  }
}

function bodyOf({ json, text: plain = '' }: OutsideAnswer, requestBody: unknown, variables: Readonly<Record<string, string>>): string {
  const built = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/\{(port-[\w-]+)\}/g, (all, name: string) => variables[name] ?? all);
    if (Array.isArray(value)) return value.map(built);
    if (value === null || typeof value !== 'object') return value;
    if ('$from' in value) return pointer(requestBody, String(value.$from));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, built(part)]));
  };
  return json === undefined ? String(built(plain)) : JSON.stringify(built(json));
}
