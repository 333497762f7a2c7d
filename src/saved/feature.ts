import type { Feature } from '../feature.ts';
import { savedCounters } from './counters.ts';

export const savedFeature: Feature = { counters: savedCounters };
