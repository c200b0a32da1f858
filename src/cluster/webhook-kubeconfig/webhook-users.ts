import { WebhookFailure } from '../../admission/index.ts';
import { getOrAdd } from '../../meta/index.ts';
import type { WebhookUser, WebhookUsers } from '../access/webhook-post.ts';
import { connectUser, type UserOptions } from './connection.ts';
import { type KubeconfigUsers, readUsers } from './document.ts';

/**
 * The users of a kubeconfig are named after the servers that they are for: `hook.example.com:8443`, `*.example.com`, `*`.
 * Cf. upstream webhook.AuthenticationInfoResolver. @throws KubeconfigError
 */
export function readWebhookUsers(content: string, options: UserOptions): WebhookUsers {
  const known = readUsers(options.path, content);
  const connected = new Map<string, Promise<WebhookUser>>();
  const connect = async (name: string): Promise<WebhookUser> => {
    try {
      return await connectUser(name, known.users.get(name) ?? {}, options);
    } catch (error) {
      connected.delete(name);
      if (!(error instanceof Error)) throw error;
      throw new WebhookFailure(`could not get REST client: ${error.message}`, { cause: error });
    }
  };
  return (hostAndPort) => {
    const name = userFor(hostAndPort, known) ?? '';
    return getOrAdd(connected, name, () => connect(name));
  };
}

function userFor(hostAndPort: string, { users, current }: KubeconfigUsers): string | undefined {
  const withoutPort = hostAndPort.endsWith(':443') ? namesFor(hostAndPort.replace(/:443$/, '')) : [];
  return [...namesFor(hostAndPort), ...withoutPort, '*', current].find((name) => users.has(name));
}

/** A host, and its domains with a star, the longest first. */
function namesFor(host: string): readonly string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
