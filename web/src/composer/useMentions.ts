import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useFoundMembers } from '../members/useFoundMembers.ts';
import { eachOnce } from '../members/useKnownUsers.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { Person } from '../timeline/message.ts';
import { useRoom } from '../timeline/RoomContext.ts';

export interface Mentions {
  readonly listId: string;
  readonly people: readonly Person[];
  readonly chosen: number;
  /** ARIA attributes that connect the text field with the list. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  /** Call this when the text or the caret has changed. */
  update(): void;
  close(): void;
  pick(person: Person): void;
  /** Handles a key. Returns whether the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

export interface MentionsOptions {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  write(text: string): void;
}

/** An @ and the start of a handle or name, just before the caret. */
const BEGUN = /(^|\s)@([^\s@]{0,20})$/u;
const SHOWN = 6;

/**
 * Completes the names of a room's members while the viewer types. Of a room with more members than are known here, the
 * server finds others by the beginning of their handle.
 */
export function useMentions({ field, text, write }: MentionsOptions): Mentions {
  const listId = useId();
  const { viewer } = useSession();
  const { members } = useRoom();
  const [begun, setBegun] = useState<string>();
  const [chosen, setChosen] = useState(0);
  const known = useStore(members);
  const found = useFoundMembers(known.hasMore ? begun : undefined);
  const inRoom = eachOnce([...[...known.members.values()].map(({ user }) => user), ...found]);
  const people = begun === undefined ? [] : matching(inRoom, begun, viewer.id);
  const isOpen = people.length > 0;
  /** The caret's position once the completed text is in the field. */
  const caret = useRef<number>(undefined);
  // In a layout effect: a frame later the viewer may have typed more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each completed text.
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  function update(): void {
    const caret = field.current?.selectionStart ?? 0;
    const [, , name] = BEGUN.exec((field.current?.value ?? text).slice(0, caret)) ?? [];
    setBegun(name?.toLowerCase());
    if (name !== undefined) members.open();
    setChosen(0);
  }

  function pick({ handle }: Person): void {
    const area = field.current;
    if (area === null) return;
    const before = text.slice(0, area.selectionStart).replace(BEGUN, `$1@${handle} `);
    caret.current = before.length;
    write(before + text.slice(area.selectionStart));
    setBegun(undefined);
    area.focus();
  }

  return {
    listId,
    people,
    chosen,
    attributes: isOpen
      ? {
          role: 'combobox',
          'aria-expanded': true,
          'aria-autocomplete': 'list',
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${chosen}`,
        }
      : {},
    update,
    close: () => setBegun(undefined),
    pick,
    onKey(event) {
      const person = people[chosen];
      if (person === undefined) return false;
      const step = { ArrowDown: 1, ArrowUp: people.length - 1 }[event.key];
      if (step !== undefined) setChosen((chosen + step) % people.length);
      else if (event.key === 'Enter' || event.key === 'Tab') pick(person);
      else if (event.key === 'Escape') setBegun(undefined);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

const matching = (members: readonly Person[], begun: string, viewerId: string): readonly Person[] =>
  members
    .filter(({ id, handle, displayName }) => {
      if (handle === null || id === viewerId) return false;
      return (
        handle.startsWith(begun) ||
        displayName
          .toLowerCase()
          .split(/\s+/)
          .some((word) => word.startsWith(begun))
      );
    })
    .slice(0, SHOWN);
