import type { ContainerImage } from '../containers/index.ts';
import type { Env } from '../env/index.ts';

/**
 * Loads container images whose programs are functions: modules with the image as their default export, by the repository of the image. In a
 * page, only modules of its own origin are loaded, whatever a lesson names: they run with the rights of the page. An image that cannot be
 * loaded is unknown.
 */
export async function loadImages(
  urls: Readonly<Record<string, string>>,
  log: Pick<Env['log'], 'warn'>,
  origin: string = globalThis.origin,
): Promise<Map<string, ContainerImage>> {
  const loads = Object.entries(urls).map(async ([repository, url]): Promise<readonly [string, ContainerImage][]> => {
    try {
      if (new URL(url).origin !== origin) throw new Error(`${url} is of another origin`);
      const { default: image } = (await import(/* @vite-ignore */ url)) as { readonly default: ContainerImage };
      return [[repository, image]];
    } catch (error) {
      log.warn('a container image cannot be loaded', { repository, error });
      return [];
    }
  });
  return new Map((await Promise.all(loads)).flat());
}
