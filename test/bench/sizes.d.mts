/** gz bytes of what a browser loads of the page in dist/page; `scriptFiles` is a count. */
export function pageSizes(): {
  readonly scripts: number;
  readonly scriptFiles: number;
  readonly htmlAndCss: number;
  readonly worker: number;
  readonly editor: number;
  /** What reads lessons that do not come with the page. */
  readonly lessonReader: number;
  /** The first load, and what the screens load when each was opened once. */
  readonly screens: number;
};
