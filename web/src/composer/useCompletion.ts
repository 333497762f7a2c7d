import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import type { Option } from './option.ts';
import { useFoundEmoji } from './useFoundEmoji.ts';
import { useFoundPeople } from './useFoundPeople.ts';
import { useFoundRooms } from './useFoundRooms.ts';

export interface Completion {
  readonly listId: string;
  readonly options: readonly Option[];
  readonly chosen: number;
  /**
   * ARIA attributes that connect the text field with the list. Its role stays `textbox`: a `combobox` has one line, and
   * HTML does not allow that role for a `textarea`. Screen readers read out the chosen option.
   */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  /** Call this when the text or the caret has changed. */
  update(): void;
  close(): void;
  pick(option: Option): void;
  /** Handles a key. Returns whether the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

export interface CompletionOptions {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  write(text: string): void;
}

/**
 * The sign and what follows it, just before the caret: the start of a member's handle or name, of an emoji's name, of a
 * room's name. A `@` counts if it would mention someone (`MENTION`), so also right after kana and kanji, as the other
 * signs do. A time and an address contain colons, too, and a link to a room `#`. In an address that begins with its
 * scheme nothing is offered after `@` and `#`: Enter sends it. A Japanese input method writes both signs in full width.
 */
const BEGUN = [
  { sign: '@', pattern: /[@＠](?<![\p{LC}\p{Nd}_@＠]\p{M}*[@＠]|:\/\/\S*[@＠])([^\s@＠]{0,20})$/u },
  { sign: ':', pattern: /:(?<![\p{LC}\p{Nd}:/]\p{M}*:)([\p{L}\p{N}_+-]{2,30})$/u },
  { sign: '#', pattern: /[#＃](?<![\p{LC}\p{Nd}_#＃/&=?[]\p{M}*[#＃]|:\/\/\S*[#＃])([^\s#＃]{1,30})$/u },
] as const;

interface Begun {
  readonly sign: (typeof BEGUN)[number]['sign'];
  readonly typed: string;
}

/** Completes names of members (`@`), emoji (`:`) and the viewer's rooms (`#`) while the viewer types. */
export function useCompletion({ field, text, write }: CompletionOptions): Completion {
  const listId = useId();
  const { members } = useRoom();
  const [begun, setBegun] = useState<Begun>();
  const [chosen, setChosen] = useState(0);
  const typedAfter = (sign: Begun['sign']) => (begun?.sign === sign ? begun.typed : undefined);
  const people = useFoundPeople(typedAfter('@'), useSession().viewer.id);
  const emoji = useFoundEmoji(typedAfter(':'));
  const rooms = useFoundRooms(typedAfter('#'));
  const options = begun === undefined ? NONE : { '@': people, ':': emoji, '#': rooms }[begun.sign];
  const isOpen = options.length > 0;
  /** The caret's position once the completed text is in the field. */
  const caret = useRef<number>(undefined);
  // In a layout effect: a frame later the viewer may have typed more. After each render, because a completion may leave
  // the text as it was.
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  function update(): void {
    // The key that completed the text may report a selection as well, while the field has the text from before.
    if (caret.current !== undefined) return;
    const value = field.current?.value ?? text;
    const before = value.slice(0, field.current?.selectionStart ?? 0);
    const closed =
      begun?.sign === ':' && before.toLowerCase().endsWith(`:${begun.typed}:`) ? begun.typed : undefined;
    const named = closed && emoji.find(({ codes }) => codes?.includes(closed));
    if (closed !== undefined && named) {
      const start = before.slice(0, -closed.length - 2) + named.insert;
      caret.current = start.length;
      write(start + value.slice(before.length));
    }
    const next = BEGUN.flatMap(({ sign, pattern }): Begun[] => {
      const typed = pattern.exec(before)?.[1];
      return typed === undefined ? [] : [{ sign, typed: typed.toLowerCase() }];
    })[0];
    setBegun(next);
    if (next?.sign === '@') members.open();
    setChosen(0);
  }

  function pick({ insert }: Option): void {
    const area = field.current;
    const pattern = BEGUN.find(({ sign }) => sign === begun?.sign)?.pattern;
    if (area === null || pattern === undefined) return;
    const before = text.slice(0, area.selectionStart).replace(pattern, () => `${insert} `);
    caret.current = before.length;
    write(before + text.slice(area.selectionStart));
    setBegun(undefined);
    area.focus();
  }

  return {
    listId,
    options,
    chosen,
    attributes: isOpen
      ? {
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${chosen}`,
        }
      : {},
    update,
    close: () => setBegun(undefined),
    pick,
    onKey(event) {
      const option = options[chosen];
      if (option === undefined) return false;
      const step = { ArrowDown: 1, ArrowUp: options.length - 1 }[event.key];
      if (step !== undefined) setChosen((chosen + step) % options.length);
      else if (event.key === 'Enter' || event.key === 'Tab') pick(option);
      else if (event.key === 'Escape') setBegun(undefined);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

const NONE: readonly Option[] = [];
