import { createContext } from 'react';
import type { Message } from './message.ts';

/** Set inside an open thread: the function that chooses the message which the composer of the thread replies to. */
export const AnswerContext = createContext<((message: Message) => void) | undefined>(undefined);
