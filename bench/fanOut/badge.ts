/** What does a badge update cost? Everybody has a badge of their own. */
import { compare } from './compare.ts';

await compare('Badge updates', 'badge');
