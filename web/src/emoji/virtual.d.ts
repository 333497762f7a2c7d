declare module 'virtual:emoji' {
  /** JSON of a list of `EmojiRow`. */
  const rows: string;
  export default rows;
}
