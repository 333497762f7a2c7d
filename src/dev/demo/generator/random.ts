import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random numbers that can be repeated: the same seed gives the same sequence on every machine. */
export interface Random {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** From 0, included, to 1, not included. */
  float(): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A random index among the first `count` of `upTo`, the rising sums of weights (see `sums`). */
  weighted(upTo: ArrayLike<number>, count?: number): number;
  /** The time until an event that happens every `mean` on average (exponential distribution). */
  exponential(mean: number): number;
  /** An independent sequence: numbers drawn from it do not change this one. */
  fork(name: string | number): Random;
}

export function createRandom(seed: string): Random {
  const generator = xoroshiro128plus(hash(seed));
  const float = () => uniformFloat64(generator);
  const int = (min: number, max: number) => uniformInt(generator, min, max);
  return {
    int,
    float,
    chance: (probability) => float() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('There is nothing to pick from.');
      return list[int(0, list.length - 1)] as T;
    },
    weighted(upTo, count = upTo.length) {
      const target = float() * (upTo[count - 1] ?? 0);
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((upTo[middle] ?? 0) > target) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    exponential: (mean) => -Math.log(1 - float()) * mean,
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** The sums of the first weight, of the first two, and so on. */
export function sums(weights: Iterable<number>): Float64Array {
  let total = 0;
  return Float64Array.from(weights, (weight) => {
    total += weight;
    return total;
  });
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value | 0;
}
