import type { Feature } from '../feature.ts';
import { newestRepliesCounter, repliesCounter } from './message.ts';

export const messagesFeature: Feature = { counters: [repliesCounter, newestRepliesCounter] };
