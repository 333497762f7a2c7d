/**
 * The embedded database cannot be had here. The message is one line that says what is wrong and what to
 * do about it; the program shows it as it stands and ends.
 */
export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable';
}
