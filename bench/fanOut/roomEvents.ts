/** What does it cost to push a message, a like or a stamp to a room's readers? Uses the web client's subscription. */
import { compare } from './compare.ts';

await compare('A message', 'messages');
await compare('Twenty messages at once', 'bursts');
await compare('A like', 'likes');
await compare('A stamp', 'stamps');
