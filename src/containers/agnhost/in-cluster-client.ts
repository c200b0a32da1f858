import { readText } from '../network/host-names.ts';
import { requestHttp, responseText } from '../network/http-call.ts';
import type { Process } from '../process/process.ts';

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

const timeoutMs = 30_000;

/** Gets a document of the API server with the credentials of the pod's service account. @throws RequestError, Error for other statuses */
export async function getFromApi(url: string, process: Process): Promise<unknown> {
  const call = {
    url: new URL(url),
    method: 'GET',
    headers: [['Authorization', `Bearer ${readText(`${accountFolder}/token`, process)}`]] as const,
    body: undefined,
    timeoutMs,
    authorities: readText(`${accountFolder}/ca.crt`, process),
  };
  const response = await requestHttp(call, process.signal, process);
  const body = await responseText(response);
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
  return JSON.parse(body);
}

/** The base URL of the API server. @throws Error outside of a pod */
export function apiUrl(environment: ReadonlyMap<string, string>): string {
  const [host, port] = [environment.get('KUBERNETES_SERVICE_HOST'), environment.get('KUBERNETES_SERVICE_PORT')];
  if (!host || !port)
    throw new Error('unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined');
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
