import type { ExecutionResult } from 'graphql';
import type { ServerPlugin } from '../operation.ts';

/**
 * Tells with each answer what its operation cost, as `extensions.cost`: whoever writes a query sees how far from
 * the limit it is. The events of a subscription do not repeat it; where one costs too much, its refusal tells.
 */
export function useCost(): ServerPlugin {
  return {
    onExecute({ args }) {
      const { cost } = args.contextValue;
      if (cost === undefined) return undefined;
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          const { extensions, ...answer } = result as ExecutionResult;
          setResult({ ...answer, extensions: { ...extensions, cost } });
        },
      };
    },
  };
}
