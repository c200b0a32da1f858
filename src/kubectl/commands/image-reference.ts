const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?$/;
const pathPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const suffixPattern = /(?::\w[\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;

/** Whether `image` is a valid reference: `[host[:port]/]path[:tag][@algorithm:hex]`. Cf. distribution/reference ReferenceRegexp. */
export function isImageReference(image: string): boolean {
  const name = image.replace(suffixPattern, '');
  const slash = name.indexOf('/');
  return pathPattern.test(name) || (hostPattern.test(name.slice(0, Math.max(0, slash))) && pathPattern.test(name.slice(slash + 1)));
}
