/**
 * Copies a text. Resolves to whether it succeeded. Called on a click: browsers allow it only for a moment after one.
 * Pages without HTTPS, on other machines than the server's, have no `navigator.clipboard`.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard === undefined) return copySelected(text);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** As if the user had selected the text and copied it. Their focus and their selection stay as they were. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const selection = getSelection();
  const ranges = Array.from({ length: selection?.rangeCount ?? 0 }, (_, i) => selection?.getRangeAt(i));
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.readOnly = true;
  // The class would join spaces and lines.
  field.style.whiteSpace = 'pre';
  field.value = text;
  // A dialog takes the focus back from what is outside of it.
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    selection?.removeAllRanges();
    for (const range of ranges) if (range !== undefined) selection?.addRange(range);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
