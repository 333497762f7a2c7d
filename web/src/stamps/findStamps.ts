import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { StampsDocument, type StampsQuery } from '../generated/graphql.ts';

export type PutStamp = Extract<
  StampsQuery['node'],
  { __typename: 'Message' }
>['stamps']['edges'][number]['node'];

/** Pages of 100. A message can hold at most 500 stamps. */
const PAGES = 5;

/** The stamps on a message, oldest first. None if the message does not exist any more. */
export async function stampsOn(api: Pick<Api, 'queryUncached'>, id: string): Promise<readonly PutStamp[]> {
  const found: PutStamp[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const { node }: StampsQuery = await api.queryUncached(StampsDocument, { id, after });
    if (node?.__typename !== 'Message') break;
    found.push(...node.stamps.edges.map((edge) => edge.node));
    after = node.stamps.pageInfo.endCursor;
    if (!node.stamps.pageInfo.hasNextPage) break;
  }
  return found;
}

interface OwnStamp {
  readonly messageId: string;
  readonly key: string;
  readonly viewerId: string;
}

/** The id of the viewer's stamp of this kind. Rejects with NOT_FOUND if there is none. */
export async function ownStampId(api: Pick<Api, 'queryUncached'>, { messageId, key, viewerId }: OwnStamp) {
  const own = (await stampsOn(api, messageId)).find(
    ({ stamp, user }) => stamp.key === key && user.id === viewerId,
  );
  if (own === undefined) throw new ApiError('NOT_FOUND');
  return own.id;
}
