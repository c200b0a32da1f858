/** The limits of the figures, by their names. */
export const goals: Readonly<
  Record<
    | 'first-load JavaScript, gz bytes'
    | 'html and css, gz bytes'
    | 'worker with the core, gz bytes'
    | 'components, gz bytes'
    | 'containers, gz bytes'
    | 'editor, gz bytes',
    { readonly atMost: number }
  >
>;

/** The compressed sizes of the page in dist/page, in bytes; `scriptFiles` is a count. */
export function pageSizes(): {
  readonly scripts: number;
  readonly scriptFiles: number;
  readonly htmlAndCss: number;
  readonly worker: number;
  /** The parts of the core that the worker loads on demand. */
  readonly workerParts: number;
  readonly components: number;
  readonly example: number;
  readonly exampleViews: number;
  readonly exampleEngine: number;
  readonly exampleKustomize: number;
  readonly containers: number;
  readonly editor: number;
  /** What reads lessons that do not come with the page. */
  readonly lessonReader: number;
  /** The first load and all files loaded after each screen was opened once. */
  readonly screens: number;
};
