import { maxNodeScore, type PluginFactory } from '../framework/plugin.ts';

const megabyte = 1024 * 1024;
const minThreshold = 23 * megabyte;
const maxContainerThreshold = 1000 * megabyte;

/** Prefers nodes that have the images of the pod, as far as they are spread. Cf. plugins/imagelocality. */
export const imageLocality: PluginFactory = ({ snapshot }) => ({
  name: 'ImageLocality',
  score(_state, { pod }, node) {
    if (node.images.size === 0) return 0;
    const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
    const total = snapshot.list().length;
    let sum = 0;
    for (const { image = '' } of containers) {
      const name = withTag(image);
      const size = node.images.get(name);
      if (size !== undefined) sum += Math.trunc(size * (snapshot.nodesWithImage(name) / total));
    }
    return priorityOf(sum, containers.length);
  },
});

function priorityOf(sum: number, containers: number): number {
  const maxThreshold = maxContainerThreshold * containers;
  const clamped = Math.min(Math.max(sum, minThreshold), maxThreshold);
  return Math.trunc((maxNodeScore * (clamped - minThreshold)) / (maxThreshold - minThreshold));
}

/** Node statuses name images with tags. Cf. normalizedImageName. */
function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
