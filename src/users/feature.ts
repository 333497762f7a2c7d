import type { Feature } from '../feature.ts';
import { blocksCounter } from './blocks/counters.ts';

export const usersFeature: Feature = { counters: [blocksCounter] };
