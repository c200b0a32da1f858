const words =
  'options|head|post|put|delete|trace|accept|accept-charset|accept-encoding|accept-language|accept-ranges|age|allow|authori' +
  'zation|cache-control|connection|content-base|content-encoding|content-language|content-length|content-location|content-m' +
  'd5|content-range|content-type|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-un' +
  'modified-since|last-modified|location|max-forwards|pragma|proxy-authenticate|proxy-authorization|range|referer|retry-aft' +
  'er|server|te|trailer|transfer-encoding|upgrade|user-agent|vary|via|warning|www-authenticate|method|get|status|200 OK|ver' +
  'sion|HTTP/1.1|url|public|set-cookie|keep-alive|origin';

const parts =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Informat' +
  'ion204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error' +
  '501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, ' +
  'Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/' +
  'javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/**
 * The dictionary of header blocks of SPDY/3 (draft-mbelshe-httpbis-spdy-00, section 2.6.10.1): names and values, each after its length in
 * 32 bits, then frequent parts of values.
 */
export function headerDictionary(): Uint8Array {
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const word of words.split('|')) bytes.push(0, 0, 0, word.length, ...encoder.encode(word));
  bytes.push(...encoder.encode(parts));
  return Uint8Array.from(bytes);
}
