import type { ClipboardEvent, KeyboardEvent } from 'react';

/** Ctrl or Command with one of these keys puts the marks around the selection, or removes them. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_' };

/** Handles the shortcuts for bold and italic text. Returns whether the key was one of them. */
export function formatSelection(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, currentTarget: area } = event;
  const mark = MARKS[event.key.toLowerCase()];
  if (mark === undefined || ctrlKey === metaKey || altKey || shiftKey) return false;
  event.preventDefault();
  const { selectionStart: start, selectionEnd: end, value } = area;
  const selected = value.slice(start, end);
  const size = mark.length;
  const isMarked = value.slice(start - size, start) === mark && value.slice(end, end + size) === mark;
  if (isMarked && start >= size) {
    area.setSelectionRange(start - size, end + size);
    insert(selected);
    area.setSelectionRange(start - size, end - size);
  } else {
    insert(`${mark}${selected}${mark}`);
    area.setSelectionRange(start + size, end + size);
  }
  return true;
}

/** An address that is pasted over a selection becomes the selection's link. */
export function pasteAsLink(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  const selected = value.slice(selectionStart, selectionEnd);
  const pasted = event.clipboardData.getData('text/plain').trim();
  // Over another address, the pasted one replaces it. Over several lines, the link would not be one.
  if (selected.trim() === '' || /[\n[\]]/.test(selected) || isAddress(selected) || !isAddress(pasted)) return;
  event.preventDefault();
  const address = pasted.replaceAll('(', '%28').replaceAll(')', '%29');
  insert(`[${selected}](${address})`);
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** Whether the caret is in a block of code that is not closed yet: there, Enter begins a new line. */
export function isInCode({ selectionStart, value }: HTMLTextAreaElement): boolean {
  const fences = value.slice(0, selectionStart).match(/^ {0,3}```[^`\n]*$/gm) ?? [];
  return fences.length % 2 === 1;
}

/** Inserts text at the selection, as if it was typed: React receives the change, and Ctrl+Z takes it back. */
export function insert(text: string): void {
  // Deprecated, but there is no other way to change a field that keeps its history.
  document.execCommand('insertText', false, text);
}
