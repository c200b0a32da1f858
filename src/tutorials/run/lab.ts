import type { ApiHandler } from '../../meta/index.ts';
import type { StepFacts } from '../checks/expressions.ts';
import type { Looked } from '../checks/look.ts';
import { type CommandPart, type Lesson, linesOf, type Step, solutionOf } from '../lesson.ts';

/** A cluster and a home that lessons are done in. */
export interface Workplace {
  /** The cluster, as one who may see everything. */
  readonly api: ApiHandler;
  /**
   * A new cluster, from a copy where there is one, and an empty home, whose kubeconfig's context is the administrator's.
   * @throws Error what is wrong with the copy
   */
  create(lesson: Pick<Lesson, 'snapshot' | 'allow'>): Promise<void>;
  /** Runs lines that the learner does not see; the exit code. */
  run(lines: string): Promise<number>;
  writeFile(name: string, text: string): Promise<void>;
  /** The texts of the home, by name. */
  files(): Promise<Readonly<Record<string, string>>>;
}

/** One that can be left, kept, and come back to. */
export interface Lab extends Workplace {
  /** Whether the cluster is there: it may be gone while the progress is kept. */
  exists(): Promise<boolean>;
  /** The cluster and the home as they are, for `restore`. What is in it is the host's own affair. */
  copy(): Promise<unknown>;
  restore(copy: unknown): Promise<void>;
  /** How checks stand, found out where the cluster is. */
  look(cels: readonly string[], facts: StepFacts): Promise<Looked>;
}

/** Where setup manifests lie while they are applied. */
const setupFile = '.setup.yaml';

/** A new lab, as the lesson's first step wants it. @throws Error when the lesson's own manifests are refused */
export async function beginLesson(lab: Workplace, lesson: Lesson): Promise<void> {
  await lab.create(lesson);
  // A controller makes it a moment later, and no Pod is taken before.
  await lab.run('kubectl wait --for=create serviceaccount/default --timeout=10s');
  for (const manifest of lesson.setup) {
    await lab.writeFile(setupFile, manifest);
    const exit = await lab.run(`kubectl apply -f ${setupFile} && rm ${setupFile}`);
    if (exit !== 0) throw new Error(`the lesson's manifests cannot be applied (exit ${exit})`);
  }
  if (lesson.user !== 'admin') await lab.run(`kubectl config use-context ${lesson.user}`);
}

/** Puts the files of a step into the home. */
export async function layOut(lab: Workplace, step: Step): Promise<void> {
  for (const part of step.parts) if (part.kind === 'file') await lab.writeFile(part.name, part.text);
}

/** Does what a step asks for, unseen. */
export async function solveStep(
  lab: Workplace,
  step: Step,
  run: (part: CommandPart) => Promise<number> = (part) => lab.run(linesOf(part)),
): Promise<void> {
  await layOut(lab, step);
  for (const part of solutionOf(step)) await run(part);
}
