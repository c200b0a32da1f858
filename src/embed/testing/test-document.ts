import { errorMessage } from '../../env/index.ts';
import { unifiedDiff } from '../../shell/index.ts';
import type { DocumentExample } from '../markdown/index.ts';
import { type ExampleSettings, SettingsError } from '../settings.ts';
import { type ExampleResult, normalizeOutput, type Story, splitSession } from '../story/index.ts';

/** The result of one example of a document. */
export interface ExampleReport {
  readonly line: number;
  /** The first line of its code. */
  readonly title: string;
  /** Why it failed; empty when it passed. */
  readonly failure: string;
  /** What it printed. */
  readonly output: string;
}

/** A cluster of a document, made for its first example. */
export interface NewStory {
  readonly settings: ExampleSettings;
  /** The largest number of nodes that an example of the cluster needs. */
  readonly nodes: number;
}

/** Opens the story of a cluster. The signal of a run is aborted when the run takes too long. */
export interface StoryOpener {
  open(story: NewStory): Promise<{ readonly story: Story; newSignal(): AbortSignal }>;
}

type OpenedStory = Awaited<ReturnType<StoryOpener['open']>>;

/** Runs the examples of a document in order. Examples with the same cluster share it. */
export async function testDocument(examples: readonly DocumentExample[], opener: StoryOpener): Promise<readonly ExampleReport[]> {
  const stories = new Map<string, OpenedStory>();
  const reports: ExampleReport[] = [];
  const storyOf = async (settings: ExampleSettings): Promise<OpenedStory> => {
    const nodes = Math.max(...examples.map(({ settings: other }) => (isOfCluster(other, settings) ? other.nodes : 0)));
    const existing = settings.cluster === 'own' ? undefined : stories.get(settings.cluster);
    const opened = existing ?? (await opener.open({ settings, nodes: settings.cluster === 'own' ? settings.nodes : nodes }));
    stories.set(settings.cluster === 'own' ? `own ${reports.length}` : settings.cluster, opened);
    return opened;
  };
  try {
    for (const example of examples) reports.push(await testExample(example, storyOf));
  } finally {
    await Promise.all([...new Set(stories.values())].map(({ story }) => story.close()));
  }
  return reports;
}

function isOfCluster(settings: DocumentExample['settings'], { cluster }: ExampleSettings): settings is ExampleSettings {
  return !(settings instanceof SettingsError) && settings.cluster === cluster;
}

async function testExample(
  { line, code, settings, output: documented }: DocumentExample,
  storyOf: (settings: ExampleSettings) => Promise<OpenedStory>,
): Promise<ExampleReport> {
  const title = code.trimStart().split('\n', 1)[0] ?? '';
  if (settings instanceof SettingsError) return { line, title, failure: settings.message, output: '' };
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  try {
    const { story, newSignal } = await storyOf(settings);
    const signal = newSignal();
    const result = await story.run({ settings, code, documentedOutput: documented?.text }, { signal, out: write, err: write });
    const failure = signal.aborted
      ? errorMessage(signal.reason)
      : failureOf(result, documented?.text ?? documentedIn(settings, code), output);
    return { line, title, failure, output };
  } catch (error) {
    return { line, title, failure: errorMessage(error), output };
  }
}

/** A failing command is an error unless its output is documented. */
function failureOf({ exit, mismatch }: ExampleResult, documented: string, output: string): string {
  if (mismatch !== undefined && mismatch !== '') return documented === '' ? mismatch : `${mismatch}\n${showDifference(documented, output)}`;
  return exit === 0 || mismatch !== undefined ? '' : `exits with ${exit}: ${output.trim()}`;
}

function documentedIn({ language }: ExampleSettings, code: string): string {
  return language === 'console' ? splitSession(code).output : '';
}

/** The lines that differ, without the parts of them that may differ. */
function showDifference(documented: string, output: string): string {
  return unifiedDiff(normalizeOutput(documented), normalizeOutput(output)).trimEnd();
}
