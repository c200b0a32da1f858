/** How much a lesson does for its reader: everything (`read`), all but Enter (`type`), nothing but the objective (`challenge`). */
export type Mode = 'read' | 'type' | 'challenge';
export const modes: readonly Mode[] = ['read', 'type', 'challenge'];

/** A lesson as it is run: compiled from Markdown when the page is built, or when a foreign one is opened. */
export interface Lesson {
  readonly title: string;
  /** One line for the catalogue. */
  readonly summary: string;
  readonly minutes: number;
  /** Lessons that come before, as `track/lesson`. */
  readonly requires: readonly string[];
  /** Whose kubeconfig context the lesson starts in. */
  readonly user: string;
  readonly mode: Mode;
  /** Commands that its console has; all of them when there is none. */
  readonly allow: readonly string[];
  /** The languages that it is translated into, each with the file. */
  readonly i18n: Readonly<Record<string, string>>;
  /** Undefined: a lesson, and no exam. */
  readonly exam: Exam | undefined;
  /** A copy of a cluster, as JSON, with which the lesson begins. */
  readonly snapshot: string | undefined;
  /** Manifests that are applied before the first step. */
  readonly setup: readonly string[];
  readonly intro: readonly Part[];
  readonly steps: readonly Step[];
}

/** Steps are tasks then, done in any order and judged at the end. */
export interface Exam {
  readonly minutes: number;
  /** Per cent of the points that one passes with. */
  readonly pass: number;
  /** Points by step; 1 for one that is not named. */
  readonly weights: Readonly<Record<string, number>>;
}

export interface Step {
  /** For addresses: `give-jane-a-role`. */
  readonly id: string;
  readonly title: string;
  readonly parts: readonly Part[];
  /** None: the step is there to be read. */
  readonly checks: readonly Check[];
  /** HTML, in the order in which they unfold. */
  readonly hints: readonly string[];
  /** Undefined: what the step shows is its solution. */
  readonly solution: CommandPart | undefined;
}

export type Part = ProsePart | CommandPart | FilePart;

export interface ProsePart {
  readonly kind: 'prose';
  /** Made from Markdown with everything else escaped. */
  readonly html: string;
}

export interface CommandPart {
  readonly kind: 'command';
  readonly lines: string;
  /** Runs as this user of the kubeconfig; undefined: as whoever the learner is. */
  readonly as: string | undefined;
  /** The exit code that is meant to come. */
  readonly expect: number;
}

/** A file that lies in the learner's home when the step begins. */
export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
  /** The learner is meant to change it. */
  readonly edit: boolean;
}

export interface Check {
  readonly cel: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly optional: boolean;
}

/** What solves the step, in order: its solution, or what it shows. */
export function solutionOf(step: Step): readonly CommandPart[] {
  return step.solution ? [step.solution] : step.parts.filter((part) => part.kind === 'command');
}

/** The commands of a part as the learner types them: for another user they name their context. */
export function linesOf({ lines, as }: CommandPart): string {
  return as === undefined ? lines : lines.replace(/(^|[|;&(]\s*)kubectl(?=\s)/gm, `$1kubectl --context=${as}`);
}
