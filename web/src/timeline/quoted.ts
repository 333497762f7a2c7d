/** Between `@` and a handle it keeps a quote from mentioning people again. It is invisible and has no width. */
const WORD_JOINER = '\u2060';

/** A text as a quote in Markdown, and the line at which the answer begins. */
export function quoted(text: string): string {
  const lines = text.replace(/@(?=\w{3})/g, `@${WORD_JOINER}`).split('\n');
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}
