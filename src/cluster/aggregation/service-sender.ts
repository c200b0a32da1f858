import type { ObjectSource } from '../../admission/index.ts';
import { OutboundError } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { ServiceUnresolved } from '../../server/index.ts';
import { serviceAddress } from '../access/webhook-post.ts';
import type { APIService, SendToService } from './aggregated-services.ts';
import type { ServiceTransport } from './service-transport.ts';

export interface ServiceSenderOptions {
  readonly transport: ServiceTransport;
  readonly services: ObjectSource;
  readonly endpointSlices: ObjectSource;
  /** Whether requests go to endpoints (`--enable-aggregator-routing`) or to the cluster IP. */
  readonly routesToEndpoints: () => boolean;
  readonly product: Product;
}

/** Sends requests to the Service of an APIService. Cf. kube-aggregator resolvers.go. */
export function createServiceSender({
  transport,
  services,
  endpointSlices,
  routesToEndpoints,
  product,
}: ServiceSenderOptions): SendToService {
  const addressOf = async (service: ServiceRef): Promise<{ readonly host: string; readonly port: number }> => {
    const { namespace, name, port } = service;
    const found: Decoded<corev1.Service> | undefined = await services.find(namespace, name);
    if (!found) throw new ServiceUnresolved(`service ${JSON.stringify(name)} not found`);
    if (found.spec?.type === 'ExternalName' || !routesToEndpoints()) return { host: serviceAddress(found, service), port };
    const { name: portName = '' } = found.spec?.ports?.find((one) => one.port === port) ?? {};
    const label = product.rename('kubernetes.io/service-name');
    const slices: readonly Decoded<discoveryv1.EndpointSlice>[] = await endpointSlices.list(namespace);
    for (const { metadata, endpoints, ports } of slices) {
      if (metadata?.labels?.[label] !== name) continue;
      const [address] = endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses ?? [];
      const target = ports?.find((one) => (one.name ?? '') === portName);
      if (address !== undefined && target) return { host: address, port: Number(target.port) };
    }
    throw new ServiceUnresolved(`no endpoints available for service ${JSON.stringify(name)}`);
  };
  return async (apiService, request, signal) => {
    const service = serviceRef(apiService);
    const { caBundle, insecureSkipTLSVerify = false } = apiService.spec ?? {};
    const serverName = `${service.name}.${service.namespace}.svc`;
    const authorities = caBundle === undefined ? undefined : atob(caBundle);
    const tls = { authorities, identity: undefined, serverName, unverified: insecureSkipTLSVerify };
    const { host, port } = await resolve(addressOf(service));
    return transport.send({
      ...request,
      headers: [['host', serverName], ...request.headers.filter(([name]) => name !== 'host')],
      host,
      port,
      tls,
      signal,
    });
  };
}

interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

function serviceRef({ spec }: APIService): ServiceRef {
  const { name = '', namespace = '', port = 443 } = spec?.service ?? {};
  return { name, namespace, port };
}

async function resolve<T>(address: Promise<T>): Promise<T> {
  try {
    return await address;
  } catch (error) {
    if (error instanceof OutboundError) throw new ServiceUnresolved(error.message, { cause: error });
    throw error;
  }
}
