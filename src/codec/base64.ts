/** As many bytes at once as surely fit among a function's arguments; a multiple of three. */
const chunk = 0x6000;

export function bytesToBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return text;
}

/** Decodes what decoding of the object has already found to be base64. */
export function base64ToBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
