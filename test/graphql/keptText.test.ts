/** How much is kept of texts that many results have. What they say is tested by `test/messages/keptText.test.ts`. */
import { GraphQLObjectType, GraphQLString } from 'graphql';
import { expect, test } from 'vitest';
import type { Item } from '../../src/dynamo/item.ts';
import { type KeptText, keepingWriter } from '../../src/graphql/keptText.ts';
import { textOf } from '../../src/graphql/textOutput.ts';

interface Note {
  readonly item: Item;
}

const keptText: KeptText<Note> = { itemOf: ({ item }) => item, constants: [] };

/** Writes notes, and counts how often their field was written. */
function createWriter() {
  const Note = new GraphQLObjectType({
    name: 'Note',
    fields: { text: { type: GraphQLString } },
    extensions: { keptText },
  });
  let written = 0;
  const write = keepingWriter(Note, [
    {
      text: '{"text":',
      write(value, output) {
        written++;
        output.add(JSON.stringify((value as Note).item.text));
      },
    },
    { text: '}' },
  ]);
  if (write === undefined) throw new Error('Notes are not kept.');
  return {
    written: () => written,
    write: (note: Note) => textOf(write, note, { context: { services: {} }, variables: {} }),
  };
}

const noteOf = (text: string): Note => ({ item: Object.freeze({ text }) });

test('a text is written once as long as it is kept', () => {
  const { write, written } = createWriter();
  const note = noteOf('a');
  for (let i = 0; i < 3; i++) expect(write(note)).toBe('{"text":"a"}');
  expect(written()).toBe(1);
});

test('the number of texts is limited, however short they are', () => {
  const { write, written } = createWriter();
  const first = noteOf('first');
  write(first);
  for (let i = 0; i < 8_192; i++) write(noteOf(''));
  const before = written();
  write(first);
  expect(written()).toBe(before + 1);
});
