/** Unicode's set of emoji that systems show as one picture (RGI), in the version of the JavaScript engine. */
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/gu;
/** A character that is shown as text unless a variation selector or a skin tone follows. */
const SHOWN_AS_TEXT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;
/** UTF-16 units; the longest emoji has 15. */
const LENGTH_MAX = 32;

/**
 * The emoji that the text consists of, fully qualified: `❤` and `❤️` are the same emoji, so they have one identity.
 * Undefined if the text is not exactly one emoji. Emoji with different skin tones are different.
 */
export function emojiOf(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const qualified = text.replace(VARIATION_SELECTORS, '').replace(SHOWN_AS_TEXT, '$&\uFE0F');
  return ONE_EMOJI.test(qualified) ? qualified : undefined;
}
