/**
 * Global ids are opaque to clients: base64url of `Type:rest`. `rest` is one or more ids, timestamps or
 * names joined by `:`. The feature that owns the type checks them.
 */
export interface GlobalId {
  readonly typename: string;
  readonly id: string;
}

const MALFORMED: GlobalId = { typename: '', id: '' };
const FORMAT = /^([A-Za-z]{1,40}):([0-9a-z:_-]{1,160})$/;
const MAX_LENGTH = 280;

export const encodeId = (typename: string, id: string): string =>
  Buffer.from(`${typename}:${id}`).toString('base64url');

/** Never throws. A malformed id is treated like the id of an object that does not exist. */
export function decodeId(text: string): GlobalId {
  if (text.length > MAX_LENGTH) return MALFORMED;
  const match = FORMAT.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [, typename, id] = match ?? [];
  // Each object has exactly one id: base64 with stray characters or bits is refused.
  if (typename === undefined || id === undefined || encodeId(typename, id) !== text) return MALFORMED;
  return { typename, id };
}

/** The id without the type's name; undefined if it is malformed or belongs to another type. */
export function idOf(typename: string, text: string): string | undefined {
  const decoded = decodeId(text);
  return decoded.typename === typename ? decoded.id : undefined;
}
