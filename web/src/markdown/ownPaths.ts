/** The path of an address of this client, if a page of it is there: `/rooms/…` and `/invite/…`. */
export function ownPath(href: string): string | undefined {
  const { origin, pathname, search, hash } = new URL(href, location.href);
  return origin === location.origin && /^\/(rooms|invite)\/./.test(pathname)
    ? pathname + search + hash
    : undefined;
}

/** The id of the message that a path of this client leads to: a thread's is its root. */
export function messageIdOf(path: string): string | undefined {
  const id = /^\/rooms\/[^/]+\/(?:messages|threads)\/([^/?#]+)$/.exec(path)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}
