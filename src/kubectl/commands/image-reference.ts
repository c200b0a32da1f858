const hostLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const host = String.raw`(?:${hostLabel}(?:\.${hostLabel})*|\[[a-fA-F0-9:]+\])(?::\d+)?`;
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(String.raw`^(?:${host}/)?${pathComponent}(?:/${pathComponent})*(?::\w[\w.-]{0,127})?(?:@${digest})?$`);

/** Whether `image` is a valid reference: `[host[:port]/]path[:tag][@algorithm:hex]`. Cf. distribution/reference ReferenceRegexp. */
export const isImageReference = (image: string): boolean => reference.test(image);
