import { type ObjectSource, type WebhookClient, WebhookFailure, type WebhookOptions, type WebhookService } from '../../admission/index.ts';
import { postReview, type WebhookConnection, WebhookError } from '../../authz/index.ts';
import { type Outbound, OutboundError, type OutboundTls } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { joinHostPort } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** The credentials with which a webhook is called. */
export interface WebhookUser extends Pick<WebhookConnection, 'headers' | 'credentials'> {
  readonly identity: OutboundTls['identity'];
}

/** The credentials for the server at a `host:port`. @throws WebhookFailure */
export type WebhookUsers = (hostAndPort: string) => Promise<WebhookUser>;

const anonymous: WebhookUser = { headers: {}, credentials: undefined, identity: undefined };

/** Calls admission webhooks. */
export function createAdmissionPost(post: WebhookPost, users: WebhookUsers | undefined): WebhookOptions['post'] {
  return async (client, review, timeoutMs) => {
    try {
      return await post(client, review, timeoutMs, users && (await users(hostAndPort(client.url))));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new WebhookFailure(`failed to call webhook: ${error.message}`, { cause: error });
    }
  };
}

function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 443}`;
}

/** Posts a review to a webhook; the response is an unvalidated JSON object. @throws WebhookError */
export type WebhookPost = (client: WebhookClient, review: JsonObject, timeoutMs: number, user?: WebhookUser) => Promise<JsonObject>;

/** Calls webhooks by their URL, or at the address of their service. */
export function createWebhookPost(outbound: Outbound, services: ObjectSource): WebhookPost {
  return async ({ url, service, authorities }, review, timeoutMs, { headers, credentials, identity } = anonymous) => {
    const serverName = service && `${service.name}.${service.namespace}.svc`;
    const tls = { authorities, identity, serverName, unverified: false };
    try {
      const post = { outbound: service ? routeToService(outbound, service, services) : outbound, timeoutMs };
      return await postReview({ ...post, connection: { url, headers, tls, credentials } }, review);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // URL omits the default port and writes host names in lower case; the real server's errors have them as configured.
      const named = error.message.replace(`https://${serverName?.toLowerCase()}/`, `https://${serverName}:443/`);
      // Here the deadline of the request expires, not the timeout of the client.
      const message = named.replace(/ \(Client\.Timeout exceeded while awaiting headers\)$/, '');
      throw new WebhookError(message, error.isTransient, error);
    }
  };
}

/** Sends requests for a service's host name to its address. */
function routeToService(outbound: Outbound, service: WebhookService, services: ObjectSource): Outbound {
  return {
    async send(request) {
      const found = await services.find(service.namespace, service.name);
      if (!found) throw new OutboundError('unreachable', `service ${JSON.stringify(service.name)} not found`);
      const url = new URL(request.url);
      url.hostname = serviceAddress(found, service);
      return outbound.send({ ...request, url: url.href });
    },
  };
}

/** Cf. upstream proxy.ResolveCluster. @throws OutboundError */
export function serviceAddress({ spec = {} }: Decoded<corev1.Service>, { name, port }: Pick<WebhookService, 'name' | 'port'>): string {
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  const { clusterIP: address = '' } = spec;
  if (address === 'None') throw new OutboundError('unreachable', 'cannot route to service with ClusterIP "None"');
  if (!spec.ports?.some((one) => one.port === port))
    throw new OutboundError('unreachable', `no service port ${port} found for service ${JSON.stringify(name)}`);
  return joinHostPort(address);
}
