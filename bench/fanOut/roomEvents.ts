/** What does it cost to push a message or a like to a room's readers? Uses the web client's subscription. */
import { compare } from './compare.ts';

await compare('A message', 'messages');
await compare('A like', 'likes');
