import type { FromPortFrame, PortRequest, PortResponse, ToPortFrame } from '../../console/index.ts';

/**
 * Shows the pages of a port of the cluster in a frame with an opaque origin: they have no access to the page, its storage or the network.
 * Their requests go to the console, which sends those to this port only.
 */
addEventListener(
  'message',
  ({ ports: [port] }) => {
    if (port === undefined) return;
    const pending = new Map<number, (response: PortResponse) => void>();
    let lastId = 0;
    const post = (message: FromPortFrame): void => port.postMessage(message);
    const send = (request: PortRequest): Promise<PortResponse> =>
      new Promise((resolve) => {
        const id = ++lastId;
        pending.set(id, resolve);
        post({ kind: 'fetch', id, request });
      });
    port.onmessage = ({ data }: MessageEvent<ToPortFrame>) => {
      if (data.kind === 'response') {
        pending.get(data.id)?.(data.response);
        pending.delete(data.id);
      } else void show(data, send, (request) => post({ kind: 'navigate', request }));
    };
  },
  { once: true },
);

type Send = (request: PortRequest) => Promise<PortResponse>;

const get = (url: string): PortRequest => ({ method: 'GET', url, contentType: '', body: undefined });

async function show(
  { url, html }: Extract<ToPortFrame, { kind: 'show' }>,
  send: Send,
  navigate: (request: PortRequest) => void,
): Promise<void> {
  const shown = new DOMParser().parseFromString(html, 'text/html');
  const base = shown.querySelector('base')?.getAttribute('href') ?? '';
  const from = URL.canParse(base, url) ? new URL(base, url).href : url;
  await Promise.all(
    [...shown.querySelectorAll('img[src], script[src], link[rel~="stylesheet" i][href]')].map((element) => embed(element, from, send)),
  );
  // The window stays, and with it the policy of the document.
  document.open();
  Object.assign(globalThis, { fetch: createFetch(from, send) });
  document.addEventListener('click', (event) => follow(event, from, navigate));
  document.addEventListener('submit', (event) => submit(event, from, navigate));
  document.write(`<!doctype html>${shown.documentElement.outerHTML}`);
  document.close();
}

/** Replaces the URL of a subresource by one of its content. */
async function embed(element: Element, from: string, send: Send): Promise<void> {
  const name = element.localName === 'link' ? 'href' : 'src';
  const source = element.getAttribute(name) ?? '';
  if (!URL.canParse(source, from) || /^(?:data|blob):/i.test(source)) return;
  const { status, contentType, body } = await send(get(new URL(source, from).href));
  if (status < 200 || status > 299) return;
  element.setAttribute(name, URL.createObjectURL(new Blob([body as Uint8Array<ArrayBuffer>], { type: contentType })));
  element.removeAttribute('integrity');
  element.removeAttribute('crossorigin');
}

function follow(event: MouseEvent, from: string, navigate: (request: PortRequest) => void): void {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  const href = link?.getAttribute('href');
  if (event.defaultPrevented || href === null || href === undefined || href.startsWith('#') || !URL.canParse(href, from)) return;
  event.preventDefault();
  navigate(get(new URL(href, from).href));
}

function submit(event: SubmitEvent, from: string, navigate: (request: PortRequest) => void): void {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
  const text = new URLSearchParams(fields).toString();
  const url = new URL(form.getAttribute('action') ?? '', from);
  if (form.method === 'post') navigate({ method: 'POST', url: url.href, contentType: 'application/x-www-form-urlencoded', body: text });
  else {
    url.search = text;
    navigate(get(url.href));
  }
}

/** `fetch` for the scripts of the page. */
function createFetch(from: string, send: Send): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init = {}) => {
    const isRequest = input instanceof Request;
    const url = new URL(isRequest ? input.url : input, from).href;
    const method = (init.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
    const content = init.body == null ? undefined : new Response(init.body);
    const contentType = new Headers(init.headers).get('content-type') ?? content?.headers.get('content-type') ?? '';
    const body = content && new Uint8Array(await content.arrayBuffer());
    const response = await send({ method, url, contentType, body });
    if (response.status === 0) throw new TypeError(new TextDecoder().decode(response.body));
    const bodiless = [204, 205, 304].includes(response.status);
    const headers = { 'content-type': response.contentType };
    return new Response(bodiless ? null : (response.body as Uint8Array<ArrayBuffer>), { status: response.status, headers });
  };
}
