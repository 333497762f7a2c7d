/**
 * @generated SignedSource<<4cd01278d806fd1a3abbf43db216e8c8>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type SendMessageInput = {
  body: string;
  idempotencyKey?: string | null | undefined;
  replyTo?: string | null | undefined;
  roomId: string;
};
export type relaySendMutation$variables = {
  connections: ReadonlyArray<string>;
  input: SendMessageInput;
};
export type relaySendMutation$data = {
  readonly sendMessage: {
    readonly messageEdge: {
      readonly cursor: string;
      readonly node: {
        readonly body: string | null | undefined;
        readonly id: string;
        readonly idempotencyKey: string | null | undefined;
        readonly replyCount: number;
      };
    };
  } | null | undefined;
};
export type relaySendMutation$rawResponse = {
  readonly sendMessage: {
    readonly messageEdge: {
      readonly cursor: string;
      readonly node: {
        readonly body: string | null | undefined;
        readonly id: string;
        readonly idempotencyKey: string | null | undefined;
        readonly replyCount: number;
      };
    };
  } | null | undefined;
};
export type relaySendMutation = {
  rawResponse: relaySendMutation$rawResponse;
  response: relaySendMutation$data;
  variables: relaySendMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "connections"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "input"
},
v2 = [
  {
    "kind": "Variable",
    "name": "input",
    "variableName": "input"
  }
],
v3 = {
  "alias": null,
  "args": null,
  "concreteType": "MessageEdge",
  "kind": "LinkedField",
  "name": "messageEdge",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "cursor",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Message",
      "kind": "LinkedField",
      "name": "node",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "id",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "body",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "idempotencyKey",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "replyCount",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "relaySendMutation",
    "selections": [
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "concreteType": "SendMessagePayload",
        "kind": "LinkedField",
        "name": "sendMessage",
        "plural": false,
        "selections": [
          (v3/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "relaySendMutation",
    "selections": [
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "concreteType": "SendMessagePayload",
        "kind": "LinkedField",
        "name": "sendMessage",
        "plural": false,
        "selections": [
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "appendEdge",
            "key": "",
            "kind": "LinkedHandle",
            "name": "messageEdge",
            "handleArgs": [
              {
                "kind": "Variable",
                "name": "connections",
                "variableName": "connections"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "2f564779b92c8603a032192b56a8d150",
    "id": null,
    "metadata": {},
    "name": "relaySendMutation",
    "operationKind": "mutation",
    "text": "mutation relaySendMutation(\n  $input: SendMessageInput!\n) {\n  sendMessage(input: $input) {\n    messageEdge {\n      cursor\n      node {\n        id\n        body\n        idempotencyKey\n        replyCount\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "589e5cd2c43c3f5676f6011686333776";

export default node;
