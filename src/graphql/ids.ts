/**
 * Global ids: opaque to clients, `Type:rest` in base64url within. `rest` is one or more ids or stamps
 * joined by `:`, each checked by the feature that owns the type.
 */
export interface GlobalId {
  readonly typename: string;
  readonly id: string;
}

const NOTHING: GlobalId = { typename: '', id: '' };
const SHAPE = /^([A-Za-z]{1,40}):([0-9a-z:]{1,160})$/;
const LONGEST = 280;

export const encodeId = (typename: string, id: string): string =>
  Buffer.from(`${typename}:${id}`).toString('base64url');

/** Never throws: what is malformed names nothing, as an id of something absent does. */
export function decodeId(text: string): GlobalId {
  if (text.length > LONGEST) return NOTHING;
  const match = SHAPE.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [, typename, id] = match ?? [];
  // One thing has one id: base64 with stray characters or bits names nothing.
  if (typename === undefined || id === undefined || encodeId(typename, id) !== text) return NOTHING;
  return { typename, id };
}

/** The part behind the type's name, or undefined where the id is of another type. */
export function idOf(typename: string, text: string): string | undefined {
  const decoded = decodeId(text);
  return decoded.typename === typename ? decoded.id : undefined;
}
