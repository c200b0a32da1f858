/** How much the console types for the learner: everything (`read`), all but Enter (`type`), nothing (`challenge`). */
export type Mode = 'read' | 'type' | 'challenge';
export const modes: readonly Mode[] = ['read', 'type', 'challenge'];

/** A parsed lesson: compiled from Markdown at build time, or when a lesson from elsewhere is opened. */
export interface Lesson {
  readonly title: string;
  /** One line for the catalogue. */
  readonly summary: string;
  readonly minutes: number;
  /** Prerequisite lessons, as `track/lesson`. */
  readonly requires: readonly string[];
  /** The kubeconfig context that is current at the start. */
  readonly user: string;
  readonly mode: Mode;
  /** The commands that its console offers; empty allows all. */
  readonly allow: readonly string[];
  /** File names of the translations, by language. */
  readonly i18n: Readonly<Record<string, string>>;
  /** Undefined for an ordinary lesson. */
  readonly exam: Exam | undefined;
  /** Number of simulated nodes. 0: neither nodes nor scheduler, and only the controllers that every cluster has. */
  readonly nodes: number;
  /** Scripts of container images, by the repository of the image: paths from the folder of the page. */
  readonly images: Readonly<Record<string, string>>;
  /** A copy of a cluster, as JSON, to start from. */
  readonly snapshot: string | undefined;
  /** Manifests to apply before the first step. */
  readonly setup: readonly string[];
  /** Scripts to run as the administrator before the first step, after the manifests. */
  readonly scripts: readonly string[];
  readonly intro: readonly Part[];
  readonly steps: readonly Step[];
}

/** In an exam, steps are tasks: done in any order and graded at the end. */
export interface Exam {
  readonly minutes: number;
  /** Percentage of the points required to pass. */
  readonly pass: number;
  /** Points by step id; the default is 1. */
  readonly weights: Readonly<Record<string, number>>;
}

export interface Step {
  /** Used in URLs: `give-jane-a-role`. */
  readonly id: string;
  readonly title: string;
  readonly parts: readonly Part[];
  /** Empty when the step is only to be read. */
  readonly checks: readonly Check[];
  /** HTML, in the order in which they are revealed. */
  readonly hints: readonly string[];
  /** Undefined: the commands of the step are its solution. */
  readonly solution: CommandPart | undefined;
}

export type Part = ProsePart | CommandPart | FilePart;

export interface ProsePart {
  readonly kind: 'prose';
  /** Rendered from Markdown, with raw HTML escaped. */
  readonly html: string;
}

export interface CommandPart {
  readonly kind: 'command';
  readonly lines: string;
  /** Runs as this user of the kubeconfig; undefined: as the learner's current user. */
  readonly as: string | undefined;
  /** The expected exit code. */
  readonly expect: number;
}

/** A file that is written to the learner's home directory when the step begins. */
export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
  /** The learner is expected to edit it. */
  readonly edit: boolean;
}

export interface Check {
  /** `cel`: an expression that is true when the check passes. `sh`: lines that the shell runs, which exit with 0 then. */
  readonly language: 'cel' | 'sh';
  readonly source: string;
  /** Shown until the check passes. */
  readonly message: string;
  /** The achievement; shown when the check passes. Lessons from elsewhere may lack it. */
  readonly done: string | undefined;
  readonly hint: string | undefined;
  readonly optional: boolean;
}

/** The commands that solve the step, in order: its solution, or those it shows. */
export function solutionCommands(step: Step): readonly CommandPart[] {
  return step.solution ? [step.solution] : step.parts.filter((part) => part.kind === 'command');
}

/** The command lines of a part as the learner types them, with `--context` for another user. */
export function commandLines({ lines, as }: CommandPart): string {
  return as === undefined ? lines : lines.replace(/(^|[|;&(]\s*)kubectl(?=\s)/gm, `$1kubectl --context=${as}`);
}
