/** Some pictographic characters are text unless a variation selector follows: `©`, `™`. */
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2}|\u20e3/u;
/** More than these are a wall of pictures if they are large. */
const MOST = 12;

/** Whether a text is only emoji, and few enough to be shown large. */
export function isOnlyEmoji(text: string): boolean {
  // Longer texts are not worth the time: an emoji has at most about 30 characters.
  if (text.length > 30 * MOST) return false;
  const emoji = [...new Intl.Segmenter().segment(text)].filter(({ segment }) => segment.trim() !== '');
  return emoji.length > 0 && emoji.length <= MOST && emoji.every(({ segment }) => EMOJI.test(segment));
}
