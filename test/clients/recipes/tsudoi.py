"""A client for programs, with the standard library only: sends messages, and follows a room."""

import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

SEND = """
mutation Send($input: SendMessageInput!) {
  sendMessage(input: $input) { message { id } }
}"""

FOLLOW = """
subscription Follow($roomId: ID!, $after: String) {
  roomEvents(roomId: $roomId, after: $after) {
    __typename
    cursor
    ... on MessageAdded { message { body } }
  }
}"""


class Tsudoi:
    def __init__(self, url, token):
        """`token`: a function, because a token may expire while the program runs."""
        self.url, self.token = url, token

    def _open(self, query, variables, accept):
        body = json.dumps({"query": query, "variables": variables}).encode()
        headers = {
            "accept": accept,
            "content-type": "application/json",
            "authorization": "Bearer " + self.token(),
        }
        # The server sends a comment every 15 s, so a silent connection is a lost one.
        return urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=40)

    def send(self, room_id, body):
        """Sends a message once, however often it has to be tried: the key is the same each time."""
        message = {"roomId": room_id, "body": body, "idempotencyKey": str(uuid.uuid4())}
        while True:
            try:
                with self._open(SEND, {"input": message}, "application/json") as response:
                    result = json.load(response)
                    if "errors" in result:
                        raise RuntimeError(result["errors"][0]["message"])
                    return result["data"]["sendMessage"]["message"]["id"]
            except OSError as error:
                self._wait(error)

    def follow(self, room_id, after=None):
        """Yields the room's events, until the server refuses the room for good. After a lost connection, or if the
        server has ended the stream, it continues from the last one."""
        while True:
            try:
                with self._open(FOLLOW, {"roomId": room_id, "after": after}, "text/event-stream") as stream:
                    for line in stream:
                        if line.startswith(b"event: complete"):
                            break
                        if not line.startswith(b"data: {"):
                            continue
                        result = json.loads(line[len(b"data: "):])
                        if result.get("data") is None:
                            error = result["errors"][0]
                            # Only RATE_LIMITED and UNAVAILABLE have a time to wait. Then the server ends the stream.
                            if "retryAfterMs" in error["extensions"]:
                                continue
                            raise RuntimeError(error["message"])
                        event = result["data"]["roomEvents"]
                        # With an error it is not complete: the server ends the stream, and sends it again.
                        if "errors" not in result:
                            after = event["cursor"]
                        yield event
                self._pause()
            except OSError as error:
                self._wait(error)

    @staticmethod
    def _wait(error):
        """Waits before the next try. Raises what another try would not change."""
        if isinstance(error, urllib.error.HTTPError) and error.code not in (401, 429, 503):
            raise error
        Tsudoi._pause()

    @staticmethod
    def _pause():
        time.sleep(1 + random.random())


if __name__ == "__main__":
    url, token, room = sys.argv[1:]
    tsudoi = Tsudoi(url, lambda: token)
    for event in tsudoi.follow(room):
        if event["__typename"] == "Synced":
            print("live", flush=True)
        elif event["__typename"] == "MessageAdded":
            body = event["message"]["body"]
            print(body, flush=True)
            if body == "ping":
                tsudoi.send(room, "pong")
