/** What a push contains. */
export interface Delivered {
  /** The delivery's id: the same if it arrives twice. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** What a click opens. */
  readonly url: string;
  /** A notification replaces an earlier one with the same tag. Empty: none. */
  readonly tag: string;
  /** The number for the app's icon, if it is known. */
  readonly badge: number | undefined;
  /** What it is about. Empty: a test, or unknown. */
  readonly kinds: readonly string[];
  /** Whether it has something that happened in quiet hours or a pause: no page made a sound for that. */
  readonly wasHeld: boolean;
  /** The ids of the deliveries that it is about. A page closes it when nothing of them is left. */
  readonly deliveries: readonly string[];
}

const UNKNOWN = { en: 'New activity in Tsudoi', ja: 'Tsudoiで新しい動きがあります' };

/** Never throws. A push of another release may have other fields. */
export function deliveredIn(data: Pick<PushMessageData, 'json'> | null): Delivered {
  const fields = fieldsOf(data);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const texts = (name: string) => {
    const list = fields[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  };
  const { badge } = fields;
  return {
    id: text('id'),
    title: text('title') || 'Tsudoi',
    text: text('text') || (navigator.language.startsWith('ja') ? UNKNOWN.ja : UNKNOWN.en),
    url: isAddress(text('url')) ? text('url') : '/',
    tag: text('tag'),
    kinds: texts('kinds'),
    wasHeld: fields.wasHeld === true,
    deliveries: texts('deliveries'),
    badge: typeof badge === 'number' && Number.isSafeInteger(badge) && badge >= 0 ? badge : undefined,
  };
}

/** Whether a browser can open it: a path of this origin, or a whole address. A click on anything else would do nothing. */
function isAddress(url: string): boolean {
  try {
    return url !== '' && /^https?:$/.test(new URL(url, self.location.origin).protocol);
  } catch {
    return false;
  }
}

function fieldsOf(data: Pick<PushMessageData, 'json'> | null): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = data?.json();
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}
