import { joinHostPort } from '../../meta/index.ts';
import { readText } from '../network/host-names.ts';
import { requestHttp, responseText } from '../network/http-call.ts';
import type { Process } from '../process/process.ts';

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

const timeoutMs = 30_000;

/** A request of a program for the API server; `body` is sent as JSON. */
export interface InClusterRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: object;
}

/** Sends a request with the credentials of the pod's service account. @throws RequestError, Error for statuses without success */
export async function requestApi({ url, method, body }: InClusterRequest, process: Process): Promise<unknown> {
  const credentials = ['Authorization', `Bearer ${readText(`${accountFolder}/token`, process)}`] as const;
  const call = {
    url: new URL(url),
    method,
    headers: body ? [credentials, ['Content-Type', 'application/json'] as const] : [credentials],
    body: body && new TextEncoder().encode(JSON.stringify(body)),
    timeoutMs,
    authorities: readText(`${accountFolder}/ca.crt`, process),
  };
  const response = await requestHttp(call, process.signal, process);
  const text = await responseText(response);
  if (response.status !== 200 && response.status !== 201) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The base URL of the API server. @throws Error outside of a pod */
export function apiUrl(environment: ReadonlyMap<string, string>): string {
  const [host, port] = [environment.get('KUBERNETES_SERVICE_HOST'), environment.get('KUBERNETES_SERVICE_PORT')];
  if (!host || !port)
    throw new Error('unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined');
  return `https://${joinHostPort(host, port)}`;
}
