import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSigner } from '../../../src/dynamo/transport/sigv4.ts';

/** From AWS's published test suite. */
const example = {
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  at: Date.UTC(2015, 7, 30, 12, 36),
  path: '/',
  body: '',
};
const host = 'example.amazonaws.com';

test.each([
  ['post-vanilla', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-header-key-sort',
    { 'my-header1': 'value1' },
    '',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'post-x-www-form-urlencoded',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])("sigv4: signs AWS's example %s as published", (_, headers, body, signature) => {
  const sign = createSigner('us-east-1', 'service');
  const signed = sign({ ...example, body, headers: { host, ...headers } });
  expect(signed['x-amz-date']).toBe('20150830T123600Z');
  expect(signed.authorization).toContain(`Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, `);
  expect(signed.authorization?.endsWith(`Signature=${signature}`)).toBe(true);
});

const word = fc.stringMatching(/^[!-~]{1,40}$/);
const request = fc.record({
  credentials: fc.record({
    accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
    secretAccessKey: word,
    sessionToken: fc.option(word, { nil: undefined }),
  }),
  headers: fc.dictionary(fc.stringMatching(/^x-[a-z0-9-]{1,20}$/), word),
  path: fc
    .array(fc.stringMatching(/^[A-Za-z0-9~!'()*:@$+=,;_-]{1,12}$/))
    .map((segments) => `/${segments.join('/')}`),
  body: fc.string({ unit: 'grapheme', maxLength: 500 }),
  at: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
});

test("sigv4: signs any request as the SDK's signer does, with one signer for all days and credentials", async () => {
  const [region, service] = ['eu-west-1', 'dynamodb'];
  const sign = createSigner(region, service);
  await fc.assert(
    fc.asyncProperty(request, async ({ credentials, headers, path, body, at }) => {
      const { accessKeyId, secretAccessKey, sessionToken } = credentials;
      const session = sessionToken === undefined ? {} : { sessionToken };
      const reference = new SignatureV4({
        region,
        service,
        sha256: Sha256,
        applyChecksum: false,
        credentials: { accessKeyId, secretAccessKey, ...session },
      });
      const all = { ...headers, host, 'x-amz-target': 'DynamoDB_20120810.GetItem' };
      const expected = await reference.sign(
        new HttpRequest({ method: 'POST', hostname: host, path, headers: all, body }),
        { signingDate: new Date(at) },
      );
      expect(sign({ credentials, headers: all, path, body, at })).toEqual(expected.headers);
    }),
  );
});
