import type { Plugin } from 'vite';

/**
 * What the built page may do: run its own files, speak to its own origin (and to a cluster elsewhere, when it was built for one), and
 * nothing that a text could bring in. What comes from elsewhere comes through a frame with a policy of its own (hosts/fetch-frame). `blob:` is for the core's worker where Service Workers are refused; the page's policy holds in it.
 */
export function contentPolicy(base: string): string {
  const cluster = URL.canParse(base) ? ` ${new URL(base).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${cluster}`,
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Which pages may show this one in a frame: a source list of `frame-ancestors`. Only a header can say it, so the Service Worker and
 * `vite preview` send it; at any other host the first load has only that host's headers.
 * @throws Error for what is no source list
 */
export function frameAncestorsPolicy(sources: string): string {
  if (!/^[\w'*:/.[\]-]+( [\w'*:/.[\]-]+)*$/.test(sources)) throw new Error(`TABPLANE_FRAME_ANCESTORS is no source list: ${sources}`);
  return `frame-ancestors ${sources}`;
}

/** Puts the policy into the page, for hosts whose headers are not ours, and before all that it is to hold for; `vite preview` sends the header, too. */
export function contentSecurityPolicy(base: string, framePolicy: string): Plugin {
  const policy = contentPolicy(base);
  return {
    name: 'tabplane-content-security-policy',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        if (request.url !== `${config.base}fetch-frame.html`) response.setHeader('content-security-policy', `${policy}; ${framePolicy}`);
        next();
      });
    },
    transformIndexHtml(_html, { server }) {
      // The development server's own scripts and styles stand in the page.
      if (server !== undefined) return [];
      return [{ tag: 'meta', attrs: { 'http-equiv': 'content-security-policy', content: policy }, injectTo: 'head-prepend' as const }];
    },
  };
}
