/** Runs the examples of a cluster in order, with the files and variables of their shells. */
export { normalizeOutput } from './compare-output.ts';
export type { FieldChange, ObjectChange } from './object-changes.ts';
export { splitSession } from './session-commands.ts';
export { type Example, type ExampleResult, type RequestRecord, Story, type StoryCluster, type StoryHome } from './story.ts';
