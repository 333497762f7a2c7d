import type { ExecutionResult, OperationTypeNode } from 'graphql';
import type { Engine } from './engine.ts';
import type { Operation } from './operation.ts';
import { httpError, type RequestParams } from './requestParams.ts';

export interface HttpOperation {
  readonly params: RequestParams;
  readonly operation: Operation;
  readonly method: string;
}

/** Runs an operation that came over HTTP. A mutation needs a POST, and a subscription a websocket. Never rejects. */
export async function runHttpOperation(
  engine: Engine,
  { params, operation, method }: HttpOperation,
): Promise<ExecutionResult> {
  let type: OperationTypeNode | undefined;
  try {
    // Before the document is read: with a token that is not valid it costs nothing.
    const isAnonymous = (await operation.identify()) === null;
    if (isAnonymous) await operation.chargeDocument?.(params.query);
    const prepared = engine.prepare(params.query, params.operationName, { isAnonymous });
    type = prepared.type;
    if (type === 'subscription') {
      throw httpError(400, 'Subscriptions are served over the websocket at the same address.');
    }
    if (type === 'mutation' && method !== 'POST') {
      throw httpError(405, 'A mutation must be sent by POST.', { headers: { allow: 'POST' } });
    }
    return await engine.execute(await engine.begin(prepared, params.variables, operation));
  } catch (error) {
    return engine.refuse(error, operation, type);
  }
}
