/** How many items a page has if the request names no number. The cost of an operation is calculated with it, too. */
export const PAGE_DEFAULT = 50;
/** How many items a request may ask for. More is refused with BAD_USER_INPUT. */
export const PAGE_MAX = 100;
