/** Where a link of an agent's leads, if it may be followed: to the web, and nowhere else. */
export function target(href: string): URL | undefined {
  try {
    const url = new URL(href); // a relative one has no base: a link of an agent leads to no part of this page
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.username + url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}
