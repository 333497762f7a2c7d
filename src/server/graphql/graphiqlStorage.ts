/**
 * Where GraphiQL keeps its tabs and history, as a script for its page: apart for each person of
 * `/graphql?as=name`, because the windows of two people share one `localStorage`, and GraphiQL would open
 * the second of them on the first one's tabs.
 */
export const GRAPHIQL_STORAGE = `
const as = new URLSearchParams(location.search).get('as') ?? '';
const prefix = as === '' ? '' : 'as:' + as + ':';
const storage = {
  getItem: (key) => localStorage.getItem(prefix + key),
  setItem: (key, value) => localStorage.setItem(prefix + key, value),
  removeItem: (key) => localStorage.removeItem(prefix + key),
  clear: () => Object.keys(localStorage).filter((key) => key.startsWith(prefix)).forEach((key) => localStorage.removeItem(key)),
  get length() {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).length;
  },
};
`;
