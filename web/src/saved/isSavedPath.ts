import { SAVED_PATH } from '../shell/paths.ts';
import { LISTS } from './listed.ts';

const LIST_PATHS: readonly string[] = [SAVED_PATH, ...LISTS.map((list) => `${SAVED_PATH}/${list}`)];

/** Whether a list of saved messages is at this path. */
export const isSavedPath = (path: string): boolean =>
  LIST_PATHS.includes(path) || new RegExp(`^${SAVED_PATH}/tags/[^/]+$`).test(path);
