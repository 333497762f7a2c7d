/** Bounds of a page of a list: the API serves by them, and the server calculates an operation's cost by them. */

/** How many items a page has if the request names no number. */
export const PAGE_DEFAULT = 50;
/** How many items a request may ask for. More is refused with BAD_USER_INPUT. */
export const PAGE_MAX = 100;
