/** A request of an attacker who tries to block the event loop. */
export interface AttackRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Attack {
  readonly name: string;
  /** Requests that prepare the server; they must succeed. */
  readonly setup?: () => Iterable<AttackRequest>;
  readonly request: () => AttackRequest;
  readonly status: number;
  /** The expected response text, where it is known. */
  readonly message?: string | RegExp;
}

const configMaps = '/api/v1/namespaces/default/configmaps';

export const json = (value: unknown): string => JSON.stringify(value);

export function post(target: string, body: unknown, type = 'application/json'): AttackRequest {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : json(body);
  return { method: 'POST', target, headers: { 'content-type': type }, body: text };
}

export const get = (target: string, headers: Readonly<Record<string, string>> = {}): AttackRequest => ({ method: 'GET', target, headers });

export function patch(target: string, type: string, body: unknown): AttackRequest {
  return { method: 'PATCH', target, headers: { 'content-type': type }, body: typeof body === 'string' ? body : json(body) };
}

export const configMap = (body: string | Uint8Array, type = 'application/json'): AttackRequest => post(configMaps, body, type);

export const range = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
