/** Runs in a page, without the variables of this file: answers the requests that arrive on a WebSocket (see relay.mjs). */
export function relayInPage({ address, authority }) {
  const { tabplane } = globalThis;
  const base = tabplane.beside('kubernetes').baseUrl;
  void publishAuthority(`${base}/api/v1/namespaces`);
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const send = (message) => socket.send(JSON.stringify(message));
  const sendChunk = (id, bytes) => {
    const chunk = new Uint8Array(bytes.length + 4);
    new DataView(chunk.buffer).setUint32(0, id);
    chunk.set(bytes, 4);
    socket.send(chunk);
  };
  /** As kube-controller-manager with `--root-ca-file`: a page has no authority of its own, and the suite waits for it in each namespace. */
  async function publishAuthority(namespaces) {
    const init = { headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' } };
    const body = JSON.stringify({ metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': authority } });
    for (;;) {
      const { body: events } = await fetch(`${namespaces}?watch=true`, init);
      let rest = '';
      for await (const text of events.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const { type, object } of lines.map((line) => JSON.parse(line)))
          if (type === 'ADDED') void fetch(`${namespaces}/${object.metadata.name}/configmaps`, { ...init, method: 'POST', body });
      }
    }
  }
  const fetches = new Map();
  async function run({ id, method, target, headers, body }) {
    const abort = new AbortController();
    fetches.set(id, abort);
    try {
      const all = new Headers(headers);
      // Chromium overwrites this header.
      all.set('x-tabplane-user-agent', all.get('user-agent') ?? '');
      const init = { method, headers: all, signal: abort.signal, cache: 'no-store', redirect: 'manual' };
      const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
      const response = await fetch(base + target, bytes.length > 0 ? { ...init, body: bytes } : init);
      // A fetch hides where a redirect leads to: such requests of pods' proxies are repeated over the port.
      if (response.type === 'opaqueredirect') {
        worker.postMessage({ kind: 'request', id, method, target: prefix + target, headers, body: bytes, acceptsUpgrade: false });
        return;
      }
      send({ id, status: response.status, headers: [...response.headers].filter(([name]) => name !== 'content-length').flat() });
      if (response.body) for await (const part of response.body) sendChunk(id, part);
      send({ id, isEnd: true });
    } catch (error) {
      if (!abort.signal.aborted) send({ id, failure: String(error) });
    } finally {
      fetches.delete(id);
    }
  }
  /** A message port of the worker (src/client/transport/port-messages.ts). */
  function connectToWorker() {
    const { port1, port2 } = new MessageChannel();
    navigator.serviceWorker.controller.postMessage({ kind: 'connect', id: crypto.randomUUID() }, [port2]);
    const sendPart = (id, part) => (typeof part === 'string' ? send({ id, text: part }) : sendChunk(id, part));
    port1.addEventListener('message', ({ data: { kind, id, ...message } }) => {
      if (kind === 'switched') send({ id, protocol: message.protocol ?? '' });
      else if (kind === 'answer') {
        send({ id, status: message.status, headers: message.headers.flat() });
        if (message.body !== undefined) sendPart(id, message.body);
        if (!message.streams) send({ id, isEnd: true });
      } else if (kind === 'chunk') {
        port1.postMessage({ kind: 'taken', id, bytes: message.chunk.length });
        sendPart(id, message.chunk);
      } else if (kind === 'end') send({ id, isEnd: true });
      else if (kind === 'failed') send({ id, failure: message.message });
    });
    port1.start();
    return port1;
  }
  const worker = connectToWorker();
  const prefix = base.slice(tabplane.baseUrl.replace(/\/$/, '').length);
  const sendToConnection = (id, message) => worker.postMessage({ kind: 'message', id, message });
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') {
      sendToConnection(new DataView(data).getUint32(0), new Uint8Array(data.slice(4)));
      return;
    }
    const { id, text, isCancelled, isUpgrade, ...request } = JSON.parse(data);
    if (text !== undefined) sendToConnection(id, text);
    else if (isUpgrade) worker.postMessage({ ...request, kind: 'request', id, target: prefix + request.target, acceptsUpgrade: true });
    else if (!isCancelled) void run({ id, ...request });
    else if (fetches.has(id)) fetches.get(id).abort();
    else worker.postMessage({ kind: 'cancel', id });
  });
  return new Promise((_, reject) => {
    socket.addEventListener('close', () => reject(new Error('the relay was closed')));
  });
}
