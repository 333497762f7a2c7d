/** What does a badge update cost? Each user has a badge of their own. */
import { compare } from './compare.ts';

await compare('Badge updates', 'badge');
