import { RequestDetail } from './requests/request-detail.ts';
import { RequestsScreen } from './requests/requests-screen.ts';
import { ClusterChoice } from './terminal/cluster-choice.ts';
import { StartPage } from './terminal/start-page.ts';
import { ClusterTime } from './views/cluster-time.ts';
import { Dock } from './views/dock.ts';
import { FilesScreen } from './views/files-screen.ts';
import { NoticeBar } from './views/notice-bar.ts';
import { SettingsScreen } from './views/settings-screen.ts';
import { TopBar } from './views/top-bar.ts';
import { TourBar } from './views/tour-bar.ts';
import { WayOn } from './views/way-on.ts';

export { FrameController } from './views/frame-controller.ts';

export const lazyElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-cluster-choice': ClusterChoice,
  'tp-cluster-time': ClusterTime,
  'tp-dock': Dock,
  'tp-files': FilesScreen,
  'tp-notices': NoticeBar,
  'tp-request-detail': RequestDetail,
  'tp-requests': RequestsScreen,
  'tp-settings': SettingsScreen,
  'tp-start': StartPage,
  'tp-top-bar': TopBar,
  'tp-tour': TourBar,
  'tp-way-on': WayOn,
};
