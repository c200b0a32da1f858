/** Loads a classic script: modules need CORS headers where the origin is opaque, as in a sandboxed frame. */
export function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${url} cannot be loaded`)));
    document.head.append(script);
  });
}
