/**
 * `@` and a handle where the server sees a mention: `MENTION` of `src/messages/mentions.ts`, which says why it is so. A
 * test holds them equal.
 */
export const MENTION = /@(?<![\p{LC}\p{Nd}_@]\p{M}*@)([a-z0-9_]{3,20})(?![\p{LC}\p{M}\p{Nd}_@])/giu;
