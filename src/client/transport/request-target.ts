/** The header that marks responses of the cluster's worker: `1`, or `paused` while it is being replaced. */
export const markerHeader = 'x-tabplane';

/**
 * Carries the client's `User-Agent` through fetch, since Chromium overwrites that header. The server derives the default field manager from
 * it. Empty when none was sent.
 */
export const userAgentHeader = 'x-tabplane-user-agent';

const streamingQuery = /[?&](?:watch|follow)(?:=(?!false(?:&|$)|0(?:&|$))[^&]*)?(?=&|$)/;
const streamingPath = /^(?:\/~clusters\/[^/]+)?\/(?:api\/[^/?]+|apis\/[^/?]+\/[^/?]+)\/watch(?:\/|\?|$)/;

/** Whether the response to `target` is an endless stream: a watch, or a followed log. */
export function isStreaming(target: string): boolean {
  return streamingQuery.test(target) || streamingPath.test(target);
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isRead(method: string): boolean {
  return reads.has(method);
}
