/** The revisions of the templates of stateful sets and daemon sets. Cf. pkg/controller/history. */

export { ControllerHistory } from './controller-history.ts';
export { hashRevisionData } from './revision-hash.ts';
export {
  isEqualRevision,
  newRevision,
  nextRevisionNumber,
  podRevisionLabel,
  revisionHashLabel,
  revisionName,
  revisionsBeyondLimit,
  sortRevisions,
  templatePatch,
} from './revisions.ts';
