import { type Env, errorMessage } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { CallHandler, WebhookHandler } from '../webhook-handlers.ts';

/** Messages on the channel between a cluster in a worker and the pages of its origin, whose scripts register webhooks. */
type WebhookMessage =
  | { readonly kind: 'call'; readonly id: string; readonly url: string; readonly review: JsonObject }
  /** This page has a handler of the URL. */
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'done'; readonly id: string; readonly review: unknown }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string };

/** Time for pages to accept a call. */
const acceptMs = 1_000;

const channelName = 'tabplane-webhooks';

/** Calls the handlers of the open pages; of several pages with the same URL, the first response counts. */
export function createPageWebhookCaller({ clock, random }: Pick<Env, 'clock' | 'random'>): CallHandler {
  return (url, review) =>
    new Promise((resolve, reject) => {
      const id = random.uuid();
      const channel = new BroadcastChannel(channelName);
      const unregistered = clock.schedule(acceptMs, () => {
        channel.close();
        resolve(undefined);
      });
      channel.onmessage = ({ data }: MessageEvent<WebhookMessage>) => {
        if (data.id !== id || data.kind === 'call') return;
        unregistered();
        if (data.kind === 'accepted') return;
        channel.close();
        if (data.kind === 'done') resolve({ review: data.review });
        else reject(new Error(data.message));
      };
      channel.postMessage({ kind: 'call', id, url, review } satisfies WebhookMessage);
    });
}

/** Answers calls with the handlers of this page. */
export function servePageWebhooks(handlers: ReadonlyMap<string, WebhookHandler>): void {
  const channel = new BroadcastChannel(channelName);
  const post = (message: WebhookMessage): void => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<WebhookMessage>) => {
    if (data.kind !== 'call') return;
    const handler = handlers.get(data.url);
    if (!handler) return;
    const { id, review } = data;
    post({ kind: 'accepted', id });
    void Promise.resolve()
      .then(() => handler(review))
      .then((answer) => post({ kind: 'done', id, review: answer }))
      .catch((error: unknown) => post({ kind: 'failed', id, message: errorMessage(error) }));
  };
}
