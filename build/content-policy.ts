import type { Plugin } from 'vite';

interface ContentPolicyOptions {
  /** Base URL of the cluster: relative to the page's folder, or absolute. */
  readonly base: string;
  /** URL of a remote API server; empty: none. */
  readonly server: string;
  readonly framePolicy: string;
}

/**
 * The Content-Security-Policy of the built page: it runs its own files and connects to its own origin, and to those of an absolute base and
 * of a remote server when it was built for one; no inline scripts or styles. Files of other origins are fetched by a frame with its own policy
 * (hosts/fetch-frame). `blob:` is for the core's worker where Service Workers are not available; it inherits the page's policy.
 */
function contentPolicy({ base, server }: Pick<ContentPolicyOptions, 'base' | 'server'>): string {
  const bases = URL.canParse(base) ? [new URL(base).origin] : [];
  // Commands in containers need WebSockets, whose origins have a scheme of their own.
  const servers = server === '' ? [] : [new URL(server).origin, new URL(server).origin.replace(/^http/, 'ws')];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...bases, ...servers].join(' '),
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * The `frame-ancestors` directive: the pages that may embed this one. It works in a header only, so the Service Worker and
 * `vite preview` send it; on any other host the first load has only that host's headers.
 * @throws Error for an invalid source list
 */
export function frameAncestorsPolicy(sources: string): string {
  if (!/^[\w'*:/.[\]-]+( [\w'*:/.[\]-]+)*$/.test(sources)) throw new Error(`TABPLANE_FRAME_ANCESTORS is no source list: ${sources}`);
  return `frame-ancestors ${sources}`;
}

/** Adds the policy to the page before everything it applies to, for hosts without own headers; `vite preview` sends the header too. */
export function contentSecurityPolicy({ framePolicy, ...origins }: ContentPolicyOptions): Plugin {
  const policy = contentPolicy(origins);
  return {
    name: 'tabplane-content-security-policy',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        if (!/^(?:fetch|port)-frame\.html$/.test(request.url?.slice(config.base.length) ?? ''))
          response.setHeader('content-security-policy', `${policy}; ${framePolicy}`);
        next();
      });
    },
    transformIndexHtml(_html, { server }) {
      // The development server adds inline scripts and styles to the page.
      if (server !== undefined) return [];
      return [{ tag: 'meta', attrs: { 'http-equiv': 'content-security-policy', content: policy }, injectTo: 'head-prepend' as const }];
    },
  };
}
