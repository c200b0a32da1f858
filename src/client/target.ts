/** The header by which the cluster's worker marks its answers: `1`, or `paused` while it is being replaced. */
export const markerHeader = 'x-tabplane';

/**
 * The client's `User-Agent` on its way through fetch: Chromium replaces the header itself by the browser's, and the server names
 * managers of fields by it. Empty: none was sent.
 */
export const userAgentHeader = 'x-tabplane-user-agent';

const streamingQuery = /[?&](?:watch|follow)(?:=(?!false(?:&|$)|0(?:&|$))[^&]*)?(?=&|$)/;
const streamingPath = /^(?:\/~clusters\/[^/]+)?\/(?:api\/[^/?]+|apis\/[^/?]+\/[^/?]+)\/watch(?:\/|\?|$)/;

/** Whether the answer to `target` goes on until somebody ends it: a watch, or a log that is followed. */
export function isStreaming(target: string): boolean {
  return streamingQuery.test(target) || streamingPath.test(target);
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isRead(method: string): boolean {
  return reads.has(method);
}
