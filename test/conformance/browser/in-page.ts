/** The scenario runner in a page, as `globalThis.conform`; it sends requests with plain fetch. */
import { userAgentHeader } from '../../../src/client/index.ts';
import type { Received, Scenario, Sent } from '../scenario.d.mts';
import { runScenario } from '../scenario.mjs';

export interface Outcome {
  readonly passed: boolean;
  readonly failures: readonly string[];
}

const base = new URL('cluster', document.baseURI).href;

async function send({ method, target, headers, body }: Sent): Promise<Received> {
  const abort = new AbortController();
  // As the page's own client does, since the browser would set its own User-Agent.
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase() === 'user-agent' ? userAgentHeader : name, value]);
  const init = { method, headers: { [userAgentHeader]: '', ...Object.fromEntries(named) }, signal: abort.signal };
  const response = await fetch(base + target, body === undefined ? init : { ...init, body: body as string | Uint8Array<ArrayBuffer> });
  const repeated = ([name, value]: [string, string]): [string, string][] =>
    name === 'warning'
      ? (value.match(/\d{3} [^ ]+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?/g) ?? [value]).map((one) => [name, one])
      : [[name, value]];
  const chunks = (response.body ?? new Blob([]).stream()) as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>;
  return { status: response.status, headers: [...response.headers].flatMap(repeated), chunks, close: () => abort.abort() };
}

async function conform(scenario: Scenario, tokens: Readonly<Record<string, string>>): Promise<Outcome> {
  try {
    const { passed, failures } = await runScenario(scenario, { send, tokens });
    return { passed, failures };
  } catch (error) {
    return { passed: false, failures: [String(error)] };
  }
}

export type Conform = typeof conform;
Object.assign(globalThis, { conform });
