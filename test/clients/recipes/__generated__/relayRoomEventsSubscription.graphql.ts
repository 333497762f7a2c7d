/**
 * @generated SignedSource<<275572d2b5a8d122d901e6a5f4c4ab6b>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type relayRoomEventsSubscription$variables = {
  after?: string | null | undefined;
  roomId: string;
};
export type relayRoomEventsSubscription$data = {
  readonly roomEvents: {
    readonly __typename: string;
    readonly cursor: string;
    readonly message?: {
      readonly body: string | null | undefined;
      readonly id: string;
      readonly idempotencyKey: string | null | undefined;
      readonly replyCount: number;
      readonly root: {
        readonly id: string;
      } | null | undefined;
    };
  };
};
export type relayRoomEventsSubscription = {
  response: relayRoomEventsSubscription$data;
  variables: relayRoomEventsSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "after"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "roomId"
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "body",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "idempotencyKey",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "replyCount",
  "storageKey": null
},
v6 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "after",
        "variableName": "after"
      },
      {
        "kind": "Variable",
        "name": "roomId",
        "variableName": "roomId"
      }
    ],
    "concreteType": null,
    "kind": "LinkedField",
    "name": "roomEvents",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "__typename",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "cursor",
        "storageKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Message",
            "kind": "LinkedField",
            "name": "message",
            "plural": false,
            "selections": [
              (v2/*:: as any*/),
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              (v5/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "Message",
                "kind": "LinkedField",
                "name": "root",
                "plural": false,
                "selections": [
                  (v2/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "type": "MessageAdded",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Message",
            "kind": "LinkedField",
            "name": "message",
            "plural": false,
            "selections": [
              (v2/*:: as any*/),
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              (v5/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "type": "MessageChanged",
        "abstractKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "relayRoomEventsSubscription",
    "selections": (v6/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "relayRoomEventsSubscription",
    "selections": (v6/*:: as any*/)
  },
  "params": {
    "cacheID": "259b99f39dae912c7baac3beef1bd7f7",
    "id": null,
    "metadata": {},
    "name": "relayRoomEventsSubscription",
    "operationKind": "subscription",
    "text": "subscription relayRoomEventsSubscription(\n  $roomId: ID!\n  $after: String\n) {\n  roomEvents(roomId: $roomId, after: $after) {\n    __typename\n    cursor\n    ... on MessageAdded {\n      message {\n        id\n        body\n        idempotencyKey\n        replyCount\n        root {\n          id\n        }\n      }\n    }\n    ... on MessageChanged {\n      message {\n        id\n        body\n        idempotencyKey\n        replyCount\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "5bf3ca371b2f91e8087f39e2cded7796";

export default node;
