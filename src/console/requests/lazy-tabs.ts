import type { Elements } from '../define-elements.ts';
import { RequestAudit } from './request-audit.ts';
import { RequestDiff } from './request-diff.ts';

/** Tabs of a request that are loaded when one of them is first opened. */
export const lazyTabElements: Elements = { 'tp-request-audit': RequestAudit, 'tp-request-diff': RequestDiff };
