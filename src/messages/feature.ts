import type { Feature } from '../feature.ts';
import { repliesCounter } from './message.ts';

export const messagesFeature: Feature = { counters: [repliesCounter] };
