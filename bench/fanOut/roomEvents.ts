/**
 * What does it cost to push a message, a like or a stamp to a room's readers? Uses the web client's subscription. For
 * likes and stamps it is the cheap form, which follows the cause of a change; the other form asks for the fields that
 * differ between readers.
 */
import { compare, compareToLimit } from './compare.ts';

await compare('A message', 'messages');
await compareToLimit('Twenty messages at once', 'bursts');
await compareToLimit('A like, by its cause', 'likesByCause');
await compareToLimit("A like, with the reader's own fields", 'likes');
await compareToLimit('A stamp, by its cause', 'stampsByCause');
await compareToLimit("A stamp, with the reader's own fields", 'stamps');
