/** Downloads a file through the browser. */
export function downloadFile(name: string, content: string | Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([content as string | Uint8Array<ArrayBuffer>], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name.replace(/[\\/:]/g, '-') }).click();
  URL.revokeObjectURL(url);
}
