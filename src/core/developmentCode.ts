import { StartError } from './errors.ts';

/**
 * Loads code that needs development dependencies, which an installation for production (`npm ci --omit=dev`) does not
 * have. Throws a `StartError` if a package is missing. `what` begins its message; `otherwise` may end it.
 */
export async function loadDevelopmentCode<T>(
  what: string,
  load: () => Promise<T>,
  otherwise?: string,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing) throw cause;
    const message = `${what} needs the development dependencies: run npm ci without --omit=dev.`;
    throw new StartError(otherwise === undefined ? message : `${message} ${otherwise}`, { cause });
  }
}
