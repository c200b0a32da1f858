import type { VirtualHome } from './virtual-home.ts';

/** Writes a file, or beside it under another name if there is one with other content: `pod.yaml`, `pod-2.yaml`. Returns the path. */
export async function writeCopy(target: VirtualHome, path: string, text: string): Promise<string> {
  for (let copy = path, number = 2; ; number++) {
    if (!target.paths().includes(copy)) await target.writeText(copy, text);
    if ((await target.readText(copy)) === text) return copy;
    copy = path.replace(/(\.\w+)?$/, (extension) => `-${number}${extension}`);
  }
}
