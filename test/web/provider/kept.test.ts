import { expect, test } from 'vitest';
import { type KeptSignIn, lifeOf, renewalAt } from '../../../web/src/provider/kept.ts';
import { pathWithin } from '../../../web/src/provider/returned.ts';

const tokenWith = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

const kept: KeptSignIn = {
  id: 'id',
  issuer: 'https://id.example.com',
  clientId: 'web',
  subject: 'aki',
  token: 'token',
  idToken: 'token',
  madeAt: 1_000_000,
};

test('lifeOf: a clock that is wrong does not matter if the token says when it was made', () => {
  const token = tokenWith({ iat: 1_000, exp: 1_300, name: '集い???>' });
  for (const now of [0, 1_000_000, 1_200_000, 10 ** 13]) expect(lifeOf(token, now)).toBe(300_000);
  expect(lifeOf(tokenWith({ exp: 1_300 }), 1_000_000)).toBe(300_000);
  expect(lifeOf(tokenWith({ exp: 1_300 }), 2_000_000)).toBe(0);
});

test('lifeOf: a token that says an earlier time ends when it says', () => {
  expect(lifeOf(tokenWith({ iat: 700, exp: 4_600 }), 1_000_000)).toBe(3_600_000);
});

test.each([['opaque'], [''], ['a.b.c'], [tokenWith({ iat: 5 })], [tokenWith({ exp: 'soon' })]])(
  'lifeOf(%j): is not known',
  (token) => {
    expect(lifeOf(token, 0)).toBeUndefined();
  },
);

test('renewalAt: a minute before the end, or after two thirds of a short life', () => {
  expect(renewalAt(kept)).toBeUndefined();
  expect(renewalAt({ ...kept, lifeMs: 3_600_000 })).toBe(1_000_000 + 3_540_000);
  expect(renewalAt({ ...kept, lifeMs: 30_000 })).toBe(1_000_000 + 20_000);
});

test.each([
  ['https://chat.example.com/rooms/a?b=c#d', '/rooms/a?b=c#d'],
  ['/saved', '/saved'],
  ['//evil.example/rooms', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?code=a', '/'],
  ['http://[', '/'],
])('pathWithin(%j): %j', (address, path) => {
  expect(pathWithin(address, 'https://chat.example.com')).toBe(path);
});
