import type { Elements } from '../define-elements.ts';
import { DeleteDialog } from './delete-dialog.ts';
import { ExploreScreen } from './explore-screen.ts';
import { ObjectGrid } from './grid/object-grid.ts';
import { ExploreHome } from './home/explore-home.ts';
import { KeysDialog } from './keys-dialog.ts';
import { ObjectAccess } from './object/object-access.ts';
import { ObjectDiff } from './object/object-diff.ts';
import { ObjectEvents } from './object/object-events.ts';
import { ObjectHistory } from './object/object-history.ts';
import { ObjectOverview } from './object/object-overview.ts';
import { ObjectOwnership } from './object/object-ownership.ts';
import { ObjectPage } from './object/object-page.ts';
import { ObjectRelated } from './object/object-related.ts';
import { ObjectRequests } from './object/object-requests.ts';
import { ObjectScheduling } from './object/object-scheduling.ts';
import { ObjectYaml } from './object/object-yaml.ts';
import { MergeDialog } from './save/merge-dialog.ts';
import { ReviewDialog } from './save/review-dialog.ts';
import { TypeTree } from './type-tree.ts';

export const exploreElements: Elements = {
  'tp-delete-dialog': DeleteDialog,
  'tp-explore': ExploreScreen,
  'tp-explore-home': ExploreHome,
  'tp-keys-dialog': KeysDialog,
  'tp-object-access': ObjectAccess,
  'tp-object-diff': ObjectDiff,
  'tp-object-events': ObjectEvents,
  'tp-object-grid': ObjectGrid,
  'tp-object-history': ObjectHistory,
  'tp-object-overview': ObjectOverview,
  'tp-object-ownership': ObjectOwnership,
  'tp-object-page': ObjectPage,
  'tp-object-related': ObjectRelated,
  'tp-object-requests': ObjectRequests,
  'tp-object-scheduling': ObjectScheduling,
  'tp-object-yaml': ObjectYaml,
  'tp-merge-dialog': MergeDialog,
  'tp-review-dialog': ReviewDialog,
  'tp-type-tree': TypeTree,
};
