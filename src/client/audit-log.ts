import { type ApiHandler, isJsonObject, type JsonObject } from '../meta/index.ts';
import { sendToHost } from './clusters.ts';
import { readLines } from './read-body.ts';

/** Where a cluster in a page tells of its audit (cluster/kept-audit.ts has the whole list). */
export const auditPath = '/~audit';

/** The audit of a cluster in a page, by requests. Servers elsewhere have files for it, and refuse. */
export interface AuditLog {
  /** What is told of one request, and what will be; ends with `signal`. */
  follow(auditId: string, told: (event: JsonObject) => void, signal: AbortSignal): Promise<void>;
  /** All events that are kept, a line each. */
  lines(): Promise<string>;
  /** The policy's text; empty: nothing is told. */
  policy(): Promise<string>;
  /** From the next request on this one; undefined: the one that a new cluster has. @throws Error what is wrong with it */
  setPolicy(text: string | undefined): Promise<string>;
}

export function createAuditLog(api: ApiHandler): AuditLog {
  const policyPath = `${auditPath}/policy`;
  return {
    async follow(auditId, told, signal) {
      const target = `${auditPath}?watch=1&id=${encodeURIComponent(auditId)}`;
      const answer = await api({ method: 'GET', target, headers: new Headers(), body: undefined, signal });
      if (answer.status !== 200 || answer.body === undefined) throw new Error(`${target} answered ${answer.status}`);
      for await (const line of readLines(answer.body)) {
        const event: unknown = JSON.parse(line);
        if (isJsonObject(event)) told(event);
      }
    },
    lines: () => sendToHost(api, 'GET', auditPath),
    policy: () => sendToHost(api, 'GET', policyPath),
    setPolicy: (text) => sendToHost(api, text === undefined ? 'DELETE' : 'PUT', policyPath, text),
  };
}
