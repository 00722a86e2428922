import type { RequestOpened } from './events.ts';

/** What the text of a request says beside its diff: the text ends with the diff, or with the beginning of it where one of both was cut (spec §4.8). Where it does not, or there is no diff, that is the whole text, so that nothing of it is lost. */
export function said(request: RequestOpened): string {
  const { text = '', diff = '', diffTruncated: isCut = false } = request;
  const head = diff.split('\n', 1)[0] ?? '';
  if (head === '') {
    return text;
  }
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + head.length)) {
    if (at === 0 || text.charAt(at - 1) === '\n') {
      const rest = text.slice(at);
      if (diff.startsWith(rest) || (isCut && rest.startsWith(diff))) {
        return text.slice(0, at).replace(/\n+$/, '');
      }
    }
  }
  return text;
}
