import type { ApiHandler } from '../../meta/index.ts';
import type { CheckResults } from '../checks/evaluate-checks.ts';
import type { StepFacts } from '../checks/expressions.ts';
import { type CommandPart, commandLines, type Lesson, type Step, solutionCommands } from '../lesson.ts';

/** A cluster and a home directory in which lessons run. */
export interface LessonWorkspace {
  /** The cluster's API, with full read access. */
  readonly api: ApiHandler;
  /**
   * Creates a cluster, from the lesson's copy if it has one, and an empty home directory with a kubeconfig for the administrator. With
   * nodes, starts the controllers, the scheduler and the nodes.
   * @throws Error with the problem of an invalid copy
   */
  create(lesson: Pick<Lesson, 'snapshot' | 'allow' | 'nodes' | 'images'>): Promise<void>;
  /** Runs lines in the background, until the signal aborts. Returns the exit code. */
  run(lines: string, signal?: AbortSignal): Promise<number>;
  writeFile(name: string, text: string): Promise<void>;
  /** The text files of the home directory, by name. */
  files(): Promise<Readonly<Record<string, string>>>;
}

/** A workspace that can be saved and restored. */
export interface Lab extends LessonWorkspace {
  /** Whether the cluster exists. It may be deleted while the progress is still stored. */
  exists(): Promise<boolean>;
  /** The state of the cluster and the home directory, for `restore`. The value is opaque. */
  copy(): Promise<unknown>;
  restore(copy: unknown): Promise<void>;
  /** Evaluates checks in the host of the cluster. */
  evaluateChecks(cels: readonly string[], facts: StepFacts): Promise<CheckResults>;
}

/** The files that hold a setup manifest, and a setup script, while they are used. */
const setupFile = '.setup.yaml';
const scriptFile = '.setup.sh';

/** Creates a lab and applies the lesson's setup. @throws Error when the lesson's manifests are rejected */
export async function setUpLesson(lab: LessonWorkspace, lesson: Lesson): Promise<void> {
  await lab.create(lesson);
  // A controller creates the service account asynchronously, and Pods are rejected before.
  await lab.run('kubectl wait --for=create serviceaccount/default --timeout=10s');
  // The kubelets register their nodes asynchronously, in any order.
  for (let node = 1; node <= lesson.nodes; node++) {
    await lab.run(`kubectl wait --for=create node/node-${node} --timeout=10s && kubectl wait --for=condition=Ready node/node-${node}`);
  }
  for (const manifest of lesson.setup) {
    await lab.writeFile(setupFile, manifest);
    const exit = await lab.run(`kubectl apply -f ${setupFile} && rm ${setupFile}`);
    if (exit !== 0) throw new Error(`the lesson's manifests cannot be applied (exit ${exit})`);
  }
  for (const script of lesson.scripts) {
    await lab.writeFile(scriptFile, script);
    await lab.run(`sh ${scriptFile}; rm ${scriptFile}`);
  }
  if (lesson.user !== 'admin') await lab.run(`kubectl config use-context ${lesson.user}`);
}

/** Writes the files of a step to the home directory. */
export async function writeStepFiles(lab: LessonWorkspace, step: Step): Promise<void> {
  for (const part of step.parts) if (part.kind === 'file') await lab.writeFile(part.name, part.text);
}

/** Runs the solution of a step in the background. */
export async function runSolution(
  lab: LessonWorkspace,
  step: Step,
  run: (part: CommandPart) => Promise<number> = (part) => lab.run(commandLines(part)),
): Promise<void> {
  await writeStepFiles(lab, step);
  for (const part of solutionCommands(step)) await run(part);
}
