import { errorMessage } from '../../env/index.ts';

/**
 * Fetches one file from a URL that the user enters, in a frame with an opaque origin: it has no access to the page or the cluster. The
 * page, whose policy allows only its own origin, cannot trigger the fetch; a user can, after reading the address.
 */
const maxBytes: number = 20 * 1024 * 1024;

const address: HTMLInputElement = find('input', HTMLInputElement);
const button: HTMLButtonElement = find('button', HTMLButtonElement);
const statusElement: HTMLElement = find('[role=status]', HTMLElement);

// The page may suggest an address; the user may have entered one before this script was loaded.
address.value ||= decodeURIComponent(location.hash.slice(1));
button.disabled = false;
button.addEventListener('click', () => void fetchFile());
address.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void fetchFile();
});

async function fetchFile(): Promise<void> {
  statusElement.textContent = 'Loading…';
  button.disabled = true;
  try {
    const url = readAddress(address.value.trim());
    const bytes = await readAt(url);
    const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)) || url.hostname;
    statusElement.textContent = '';
    // Any embedding page may receive it: the file was fetched without credentials.
    parent.postMessage({ name, bytes }, '*', [bytes]);
  } catch (error) {
    statusElement.textContent = errorMessage(error);
  }
  button.disabled = false;
}

function readAddress(text: string): URL {
  if (!URL.canParse(text)) throw new Error('This is not a URL. Enter a URL that begins with https://');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new Error(`The scheme ${url.protocol} is not supported. Use http or https.`);
  return url;
}

async function readAt(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => {
    throw new Error('The server is not reachable or does not allow cross-origin requests. Download the file and open it here.');
  });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size <= maxBytes) continue;
    await reader?.cancel();
    throw new Error('The file is larger than 20 MB and was not opened.');
  }
  return new Blob(chunks).arrayBuffer();
}

function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`${selector} is missing in the frame`);
}
