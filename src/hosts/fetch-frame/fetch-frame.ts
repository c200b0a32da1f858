/**
 * Fetches one file from a URL that the user enters, in a frame with an opaque origin: it has no access to the page or the cluster. The
 * page, whose policy allows only its own origin, cannot trigger the fetch; only the user can, who sees the address.
 */
const maxBytes: number = 20 * 1024 * 1024;

const address: HTMLInputElement = find('input', HTMLInputElement);
const button: HTMLButtonElement = find('button', HTMLButtonElement);
const statusElement: HTMLElement = find('[role=status]', HTMLElement);

button.addEventListener('click', () => void fetchFile());
address.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void fetchFile();
});

async function fetchFile(): Promise<void> {
  statusElement.textContent = 'Asking…';
  button.disabled = true;
  try {
    const url = readAddress(address.value.trim());
    const bytes = await readAt(url);
    const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)) || url.hostname;
    statusElement.textContent = '';
    // Any embedding page may receive it: the file was fetched without credentials.
    parent.postMessage({ name, bytes }, '*', [bytes]);
  } catch (error) {
    statusElement.textContent = error instanceof Error ? error.message : String(error);
  }
  button.disabled = false;
}

function readAddress(text: string): URL {
  if (!URL.canParse(text)) throw new Error('This is no address. It begins with https://');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new Error(`Nothing is fetched by ${url.protocol}`);
  return url;
}

async function readAt(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => {
    throw new Error('It did not answer, or lets no other page read it. Download the file there, and choose or drop it here.');
  });
  if (!response.ok) throw new Error(`It answered ${response.status}.`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size <= maxBytes) continue;
    await reader?.cancel();
    throw new Error('It is larger than 20 MB, and is not opened.');
  }
  return new Blob(chunks).arrayBuffer();
}

function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`${selector} is not in the frame`);
}
