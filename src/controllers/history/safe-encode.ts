/** No vowels and no digits that look like letters, so that names have no words in them. Cf. k8s.io/apimachinery util/rand. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Replaces each character of a number by one of the alphabet. Cf. rand.SafeEncodeString. */
export function safeEncode(text: string): string {
  return [...text].map((character) => alphabet[character.charCodeAt(0) % alphabet.length]).join('');
}
