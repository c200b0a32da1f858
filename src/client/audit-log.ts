import { type ApiHandler, isJsonObject, type JsonObject } from '../meta/index.ts';
import { sendToHost } from './clusters.ts';
import { readLines } from './transport/read-body.ts';

/** The path of the audit API of a cluster in a page. The cluster module documents its routes. */
export const auditPath = '/~audit';

/** Client of the audit API that clusters in a page serve. Remote servers reject these requests: they write audit log files. */
export interface AuditLog {
  /** Emits the audit events of one request, past and future, until `signal` aborts. */
  watch(auditId: string, onEvent: (event: JsonObject) => void, signal: AbortSignal): Promise<void>;
  /** All retained events as JSON lines. */
  lines(): Promise<string>;
  /** The text of the audit policy. Empty when auditing is off. */
  policy(): Promise<string>;
  /** Sets the policy for all later requests; undefined restores the default policy. @throws Error with the problem of an invalid policy */
  setPolicy(text: string | undefined): Promise<string>;
}

export function createAuditLog(api: ApiHandler): AuditLog {
  const policyPath = `${auditPath}/policy`;
  return {
    async watch(auditId, onEvent, signal) {
      const target = `${auditPath}?watch=1&id=${encodeURIComponent(auditId)}`;
      const answer = await api({ method: 'GET', target, headers: new Headers(), body: undefined, signal });
      if (answer.status !== 200 || answer.body === undefined) throw new Error(`${target} answered ${answer.status}`);
      for await (const line of readLines(answer.body)) {
        const event: unknown = JSON.parse(line);
        if (isJsonObject(event)) onEvent(event);
      }
    },
    lines: () => sendToHost(api, 'GET', auditPath),
    policy: () => sendToHost(api, 'GET', policyPath),
    setPolicy: (text) => sendToHost(api, text === undefined ? 'DELETE' : 'PUT', policyPath, text),
  };
}
