/** What does it cost to tell a room's readers of a message, and of a like? With the web client's own subscription. */
import { compare } from './compare.ts';

await compare('A message', 'messages');
await compare('A like', 'likes');
