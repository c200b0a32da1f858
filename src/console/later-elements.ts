import { RequestDetail } from './requests/request-detail.ts';
import { RequestsScreen } from './requests/requests-screen.ts';
import { FilesScreen } from './views/files-screen.ts';
import { NoticeBar } from './views/notice-bar.ts';
import { SettingsScreen } from './views/settings-screen.ts';

export const laterElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-files': FilesScreen,
  'tp-notices': NoticeBar,
  'tp-request-detail': RequestDetail,
  'tp-requests': RequestsScreen,
  'tp-settings': SettingsScreen,
};
