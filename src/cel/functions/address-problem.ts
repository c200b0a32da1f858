/** Why a text is not an IP address, with the message of Go's netip; undefined for a valid address. */
export function addressProblem(text: string): string | undefined {
  for (const char of text) {
    if (char === '.') return ipv4Problem(text);
    if (char === ':') return ipv6Problem(text);
  }
  return 'unable to parse IP';
}

function at(what: string, rest: string): string {
  return `${what} (at ${JSON.stringify(rest)})`;
}

function ipv4Problem(text: string): string | undefined {
  let digits = '';
  let fields = 0;
  for (const [i, char] of [...text].entries()) {
    if (/\d/.test(char)) {
      if (digits === '0') return 'IPv4 field has octet with leading zero';
      digits += char;
      if (Number(digits) > 255) return 'IPv4 field has value >255';
    } else if (char !== '.') return at('unexpected character', text.slice(i));
    else {
      if (digits === '' || i === text.length - 1) return at('IPv4 field must have at least one digit', text.slice(i));
      if (fields === 3) return 'IPv4 address too long';
      fields += 1;
      digits = '';
    }
  }
  return fields < 3 ? 'IPv4 address too short' : undefined;
}

function ipv6Problem(text: string): string | undefined {
  if (text === '::') return undefined;
  let compressed = text.startsWith('::');
  let rest = compressed ? text.slice(2) : text;
  let bytes = 0;
  while (bytes < 16 && rest !== '') {
    const [group = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    const groupWrong = groupProblem(group, rest);
    if (groupWrong !== undefined) return groupWrong;
    if (rest[group.length] === '.') return embeddedProblem(rest, bytes, compressed);
    bytes += 2;
    rest = rest.slice(group.length);
    if (rest === '') break;
    const separatorWrong = separatorProblem(rest, compressed);
    if (separatorWrong !== undefined) return separatorWrong;
    const compresses = rest.startsWith('::');
    compressed ||= compresses;
    rest = rest.slice(compresses ? 2 : 1);
  }
  if (rest !== '') return at('trailing garbage after address', rest);
  if (bytes === 16 && compressed) return 'the :: must expand to at least one field of zeros';
  return bytes < 16 && !compressed ? 'address string too short' : undefined;
}

function groupProblem(group: string, rest: string): string | undefined {
  if (group.length > 4) return at('each group must have 4 or less digits', rest);
  return group === '' ? at('each colon-separated field must have at least one digit', rest) : undefined;
}

/** Of the colons between two groups. */
function separatorProblem(rest: string, compressed: boolean): string | undefined {
  if (!rest.startsWith(':')) return at('unexpected character, want colon', rest);
  if (rest === ':') return at('colon must be followed by more characters', rest);
  return rest.startsWith('::') && compressed ? at('multiple :: in address', rest.slice(1)) : undefined;
}

/** An IPv4 address embedded at the end of an IPv6 address. */
function embeddedProblem(rest: string, bytes: number, compressed: boolean): string | undefined {
  if (!compressed && bytes !== 12) return at('embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (bytes + 4 > 16) return at('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  return ipv4Problem(rest);
}
