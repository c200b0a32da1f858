import type { corev1 } from '../../schema/api/index.ts';

/** Number of images in a node's status. Cf. --node-status-max-images. */
const maxReported = 50;

/** The images on a node. */
export class NodeImages {
  readonly #images = new Map<string, corev1.ContainerImage>();

  has(full: string): boolean {
    return this.#images.has(full);
  }

  add(full: string, digest: string, sizeBytes: number): void {
    const repository = full.split('@')[0]?.replace(/:[^/:]*$/, '') ?? '';
    this.#images.set(full, { names: [`${repository}@${digest}`, full], sizeBytes });
  }

  /** Images that the node reported before its restart. */
  restore(images: readonly corev1.ContainerImage[]): void {
    for (const image of images) for (const name of image.names ?? []) if (!this.#images.has(name)) this.#images.set(name, image);
  }

  /** The largest first. */
  get reported(): readonly corev1.ContainerImage[] {
    const images = [...new Set(this.#images.values())];
    return images.sort((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0)).slice(0, maxReported);
  }
}
