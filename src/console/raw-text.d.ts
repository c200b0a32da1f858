/** Samples are bundled as the text they are. */
declare module '*.yaml?raw' {
  const text: string;
  export default text;
}
declare module '*.md?raw' {
  const text: string;
  export default text;
}
